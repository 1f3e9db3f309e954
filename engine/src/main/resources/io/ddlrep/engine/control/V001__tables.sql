-- Control schema, version 1. Run once by the installing superuser, in one transaction, under the installer's lock.
-- Every object is schema-qualified; nothing here depends on search_path.

CREATE SCHEMA ddlrep;
COMMENT ON SCHEMA ddlrep IS 'ddlrep: control schema';
CREATE SCHEMA ddlrep_shadow;
COMMENT ON SCHEMA ddlrep_shadow IS 'ddlrep: shadow tables, capture functions, carry tables';
CREATE SCHEMA ddlrep_apply;
COMMENT ON SCHEMA ddlrep_apply IS 'ddlrep: apply functions, owned by the tables'' owners; only ddlrep_apply may use the schema';

GRANT USAGE ON SCHEMA ddlrep TO PUBLIC;
GRANT USAGE ON SCHEMA ddlrep_shadow TO PUBLIC;
GRANT USAGE ON SCHEMA ddlrep_apply TO ddlrep_apply;

CREATE TABLE ddlrep.schema_version (
    version int PRIMARY KEY,
    checksum text NOT NULL,
    installed_at timestamptz NOT NULL DEFAULT pg_catalog.now()
);
COMMENT ON TABLE ddlrep.schema_version IS 'Migrations that were run on this node, with the checksum of their text';

CREATE TABLE ddlrep.self (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    group_id text NOT NULL,
    node text NOT NULL,
    system_identifier bigint NOT NULL,
    database_oid oid NOT NULL
);
COMMENT ON TABLE ddlrep.self IS 'Which node of which group this database is; identity at install, so that a clone or a restored dump is noticed';

CREATE TABLE ddlrep.secret (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    key bytea NOT NULL,
    inner_pad bytea NOT NULL,
    outer_pad bytea NOT NULL
);
COMMENT ON TABLE ddlrep.secret IS 'Key of the tickets (HMAC-SHA256, RFC 2104) and the two padded blocks made of it; the same on every node; readable by the service only';

CREATE TABLE ddlrep.node (
    name text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9_]{0,30}$'),
    host text NOT NULL,
    port int NOT NULL,
    database text NOT NULL,
    system_identifier bigint NOT NULL,
    database_oid oid NOT NULL
);
COMMENT ON TABLE ddlrep.node IS 'The nodes of the group; the same rows on every node; no passwords';

CREATE TABLE ddlrep.publication (
    name text PRIMARY KEY,
    origin text NOT NULL REFERENCES ddlrep.node,
    scope text NOT NULL CHECK (scope IN ('tables', 'schemas', 'database')),
    schemas text[] NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE ddlrep.publication IS 'Named sets of replicated tables; the same rows on every node';

CREATE TABLE ddlrep.publication_node (
    publication text NOT NULL REFERENCES ddlrep.publication ON DELETE CASCADE,
    node text NOT NULL REFERENCES ddlrep.node ON DELETE CASCADE,
    state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'dirty')),
    reason text,
    since timestamptz NOT NULL DEFAULT pg_catalog.now(),
    tick bigint,
    snapshot pg_snapshot,
    confirmed_at timestamptz,
    PRIMARY KEY (publication, node)
);
COMMENT ON TABLE ddlrep.publication_node IS 'State of each replica for each publication; kept on the origin. tick and snapshot: how far the replica is known to be, durably there; only what every replica has passed is purged';

CREATE SEQUENCE ddlrep.table_id CACHE 1;
COMMENT ON SEQUENCE ddlrep.table_id IS 'Origin: ids of replicated tables';

CREATE TABLE ddlrep.replicated_table (
    table_id bigint PRIMARY KEY,
    publication text NOT NULL REFERENCES ddlrep.publication ON DELETE CASCADE,
    relid oid NOT NULL UNIQUE,
    schema_name text NOT NULL,
    table_name text NOT NULL,
    generation int NOT NULL,
    key_columns text[] NOT NULL,
    capture text NOT NULL CHECK (capture IN ('statement', 'row', 'none')),
    shape text NOT NULL,
    UNIQUE (schema_name, table_name)
);
COMMENT ON TABLE ddlrep.replicated_table IS 'Replicated tables; the same rows on every node but for relid. key_columns is empty for a table without a key; capture none marks a partition whose parent has the triggers; shape is a canonical text: its part before the first empty line at the end decides whether a DDL starts a new generation, the rest whether anything is to be rebuilt';

CREATE TABLE ddlrep.shadow_generation (
    table_id bigint NOT NULL,
    publication text NOT NULL REFERENCES ddlrep.publication ON DELETE CASCADE,
    generation int NOT NULL,
    shadow text NOT NULL,
    columns text NOT NULL,
    column_names text[] NOT NULL,
    key_columns text[] NOT NULL,
    opened_by text,
    closed_by text,
    PRIMARY KEY (table_id, generation)
);
COMMENT ON TABLE ddlrep.shadow_generation IS 'Origin: shadow tables by generation; columns is the column list of the shadow (and of staging tables) as SQL; closed_by is the operation after which nothing more is written there';

CREATE SEQUENCE ddlrep.change_seq CACHE 1;
COMMENT ON SEQUENCE ddlrep.change_seq IS 'Origin: one order for all shadow tables. CACHE 1: a larger cache breaks the order between sessions';

CREATE TABLE ddlrep.tick (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    snapshot pg_snapshot NOT NULL,
    token uuid NOT NULL DEFAULT pg_catalog.gen_random_uuid(),
    at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
);
COMMENT ON TABLE ddlrep.tick IS 'Origin: snapshots that were handed out, durable before any of their changes is applied anywhere';

CREATE TABLE ddlrep.subscription (
    publication text PRIMARY KEY REFERENCES ddlrep.publication ON DELETE CASCADE,
    tick bigint NOT NULL,
    token uuid NOT NULL,
    snapshot pg_snapshot NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
);
COMMENT ON TABLE ddlrep.subscription IS 'Replica: how far it is; written in the transaction that applied the rows. Its row lock makes appliers take turns';

CREATE TABLE ddlrep.ddl_operation (
    op text PRIMARY KEY,
    publications text[] NOT NULL,
    nodes text[] NOT NULL,
    state text NOT NULL CHECK (state IN ('open', 'committed', 'rolled_back', 'unresolved')),
    actor text NOT NULL,
    client_address text,
    coordinator text NOT NULL,
    client_pid int NOT NULL,
    client_backend_start timestamptz NOT NULL,
    search_path text NOT NULL,
    role text NOT NULL,
    settings jsonb NOT NULL DEFAULT '{}',
    statements jsonb NOT NULL DEFAULT '[]',
    fingerprints jsonb NOT NULL DEFAULT '{}',
    started timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    finished timestamptz,
    result text
);
CREATE INDEX ddl_operation_open ON ddlrep.ddl_operation (started) WHERE state IN ('open', 'unresolved');
COMMENT ON TABLE ddlrep.ddl_operation IS 'Origin: the intent of each operation, committed before any lock is taken, and later its result';

CREATE TABLE ddlrep.ddl_step (
    op text NOT NULL REFERENCES ddlrep.ddl_operation ON DELETE CASCADE,
    node text NOT NULL,
    step text NOT NULL,
    state text NOT NULL,
    pid int,
    backend_start timestamptz,
    started timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    ended timestamptz,
    detail text,
    PRIMARY KEY (op, node, step)
);
COMMENT ON TABLE ddlrep.ddl_step IS 'Origin: where each node is in an operation, and which backend is its companion';

CREATE TABLE ddlrep.decision (
    op text PRIMARY KEY,
    outcome text NOT NULL CHECK (outcome IN ('commit', 'abort')),
    xid xid8 NOT NULL,
    last_carried_seq bigint NOT NULL,
    decided_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
);
CREATE INDEX decision_xid ON ddlrep.decision (xid);
CREATE INDEX decision_at ON ddlrep.decision (decided_at);
COMMENT ON TABLE ddlrep.decision IS 'Origin: write-once outcome of each operation. commit is inserted by the client''s own transaction, abort by recovery; whoever is second loses. Kept for good';

CREATE TABLE ddlrep.applied_operation (
    op text PRIMARY KEY,
    xid xid8 NOT NULL,
    last_carried_seq bigint NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
);
COMMENT ON TABLE ddlrep.applied_operation IS 'Replica: operations whose DDL and carried rows are in this database; written in the companion transaction itself. Kept for good';

CREATE TABLE ddlrep.ticket_used (
    op text NOT NULL,
    n int NOT NULL,
    PRIMARY KEY (op, n)
);
COMMENT ON TABLE ddlrep.ticket_used IS 'Tickets that were spent, so that each works once';

CREATE TABLE ddlrep.drift_event (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    actor text NOT NULL,
    tag text NOT NULL,
    object text,
    query text
);
COMMENT ON TABLE ddlrep.drift_event IS 'DDL on replicated objects that was kept local on purpose';

GRANT SELECT ON ddlrep.schema_version, ddlrep.self, ddlrep.node, ddlrep.publication, ddlrep.publication_node,
    ddlrep.replicated_table, ddlrep.shadow_generation, ddlrep.subscription, ddlrep.decision, ddlrep.applied_operation TO PUBLIC;
GRANT SELECT, UPDATE ON ddlrep.subscription TO ddlrep_apply;
