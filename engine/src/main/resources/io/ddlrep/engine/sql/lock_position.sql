-- Synchronizer, replica: where the subscription ($1) stands. The row lock makes appliers take turns.
SELECT s.tick, s.token, s.snapshot FROM ddlrep.subscription s WHERE s.publication = $1 FOR UPDATE
