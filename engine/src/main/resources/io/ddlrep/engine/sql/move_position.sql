-- Synchronizer, replica: the subscription ($1) now stands at the tick $2 with token $3 and snapshot $4.
UPDATE ddlrep.subscription SET tick = $2, token = $3::uuid, snapshot = $4::pg_snapshot, applied_at = clock_timestamp()
WHERE publication = $1
