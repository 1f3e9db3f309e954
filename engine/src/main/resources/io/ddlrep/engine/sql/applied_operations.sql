-- Synchronizer, replica: which of the operations $1 (text[]) this replica has, and how far their own rows came with them.
SELECT a.op, a.xid, a.last_carried_seq FROM ddlrep.applied_operation a WHERE a.op = ANY ($1)
