-- Control schema, version 2. The majors of the group's nodes decide which facts a fingerprint may hold.

ALTER TABLE ddlrep.node ADD COLUMN major int;
COMMENT ON COLUMN ddlrep.node.major IS 'PostgreSQL major of the node when it was last installed, upgraded or seen by a health check; null: not known';
