-- Called by TriggerClientSession in a service session: ends the client's backend where it has been idle in its transaction
-- for the limit. $1 pid, $2 start in microseconds, $3 limit in milliseconds. Null: the backend is gone.
SELECT ddlrep.end_idle_client($1::int, $2::bigint, $3::bigint) AS ended
