CREATE TABLE ddlrep.outside (
    op text PRIMARY KEY,
    backend text NOT NULL,
    target oid NOT NULL,
    indexes oid[] NOT NULL
);
COMMENT ON TABLE ddlrep.outside IS 'Operations that run outside a transaction block on this node now, or did when their coordinator was lost: the backend, as ddlrep.backend() prints it, the table, and the indexes that it had before';
