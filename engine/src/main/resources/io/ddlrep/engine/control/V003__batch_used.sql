-- Control schema, version 3. Apply functions take tickets, and each works once.

CREATE TABLE ddlrep.batch_used (
    publication text PRIMARY KEY,
    xid xid8 NOT NULL,
    n int NOT NULL
);
COMMENT ON TABLE ddlrep.batch_used IS 'Replica: the last ticket of an apply function that was spent. A ticket is good in one transaction only, so that nothing older needs to be remembered; appliers of a publication take turns, so that none waits here';
