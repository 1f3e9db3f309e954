CREATE TABLE ddlrep.code_statement (
    op text NOT NULL,
    n bigint GENERATED ALWAYS AS IDENTITY,
    statement text NOT NULL,
    search_path text NOT NULL,
    role text NOT NULL,
    PRIMARY KEY (op, n)
);
COMMENT ON TABLE ddlrep.code_statement IS 'Origin: DDL that code of a client has run in the operation that is open in its transaction; taken out again by the same transaction';
