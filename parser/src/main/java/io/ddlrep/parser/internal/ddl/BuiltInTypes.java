package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.ObjectName;
import java.util.Set;

/**
 * The names of types that come with the server or with its grammar; only a name that is not among them can be a type that a
 * statement depends on. Stateless.
 */
final class BuiltInTypes {
    private static final Set<String> NAMES = Set.of("""
            aclitem any anyarray anycompatible anycompatiblearray anycompatiblemultirange anycompatiblenonarray
            anycompatiblerange anyelement anyenum anymultirange anynonarray anyrange bigint bigserial bit bool
            boolean box bpchar bytea char character cid cidr circle cstring date datemultirange daterange dec
            decimal double event_trigger fdw_handler float float4 float8 index_am_handler inet int int2
            int2vector int4 int4multirange int4range int8 int8multirange int8range integer internal interval
            json jsonb jsonpath language_handler line lseg macaddr macaddr8 money name national nchar none numeric
            nummultirange numrange oid oidvector path pg_lsn pg_snapshot point polygon real record refcursor
            regclass regcollation regconfig regdictionary regnamespace regoper regoperator regproc regprocedure
            regrole regtype serial serial2 serial4 serial8 smallint smallserial table_am_handler text tid time
            timestamp timestamptz timetz trigger tsm_handler tsmultirange tsquery tsrange tstzmultirange
            tstzrange tsvector txid_snapshot unknown uuid varbit varchar void xid xid8 xml
            """.strip().split("\\s+"));

    private BuiltInTypes() {}

    static boolean contains(ObjectName type) {
        return type.schema() == null
                ? NAMES.contains(type.name())
                : type.schema().equals("pg_catalog");
    }
}
