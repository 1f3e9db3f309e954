-- Called by GroupDoctor on the origin, with search_path pinned: roles that log in and may change replicated tables, as their
-- owner or as a member of it, and ddlrep's own.
WITH RECURSIVE able AS (
    SELECT c.relowner AS role FROM ddlrep.replicated_table t JOIN pg_class c ON c.oid = t.relid
    UNION
    SELECT m.member FROM able JOIN pg_auth_members m ON m.roleid = able.role
)
SELECT r.rolname AS role FROM able JOIN pg_roles r ON r.oid = able.role WHERE r.rolcanlogin
UNION
SELECT r.rolname FROM pg_roles r WHERE r.rolname IN ('ddlrep_service', 'ddlrep_apply')
ORDER BY 1
