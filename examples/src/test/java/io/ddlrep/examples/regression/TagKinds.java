package io.ddlrep.examples.regression;

import io.ddlrep.parser.StatementKind;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Which kinds a statement can be of that the server runs under a command tag, written down from the manual and not from the
 * parser's own table. Stateless.
 */
final class TagKinds {
    private static final EnumSet<StatementKind> DDL = EnumSet.of(StatementKind.DDL);

    private static final Map<String, EnumSet<StatementKind>> BY_TAG = Map.ofEntries(
            // WITH may change rows below a SELECT.
            Map.entry("SELECT", EnumSet.of(StatementKind.QUERY, StatementKind.DML)),
            Map.entry("INSERT", EnumSet.of(StatementKind.DML)),
            Map.entry("UPDATE", EnumSet.of(StatementKind.DML)),
            Map.entry("DELETE", EnumSet.of(StatementKind.DML)),
            Map.entry("MERGE", EnumSet.of(StatementKind.DML)),
            Map.entry("COPY", EnumSet.of(StatementKind.COPY)),
            Map.entry("SHOW", EnumSet.of(StatementKind.QUERY)),
            Map.entry("FETCH", EnumSet.of(StatementKind.QUERY)),
            Map.entry("MOVE", EnumSet.of(StatementKind.QUERY)),
            Map.entry("DECLARE CURSOR", EnumSet.of(StatementKind.QUERY)),
            Map.entry("CLOSE CURSOR", EnumSet.of(StatementKind.QUERY)),
            Map.entry("CLOSE CURSOR ALL", EnumSet.of(StatementKind.QUERY)),
            // With ANALYZE it runs the statement, which may make a table.
            Map.entry("EXPLAIN", EnumSet.of(StatementKind.QUERY, StatementKind.OPAQUE, StatementKind.DDL)),
            Map.entry("EXECUTE", EnumSet.of(StatementKind.OPAQUE)),
            Map.entry("CALL", EnumSet.of(StatementKind.OPAQUE)),
            // DDL where the words of its code say so.
            Map.entry("DO", EnumSet.of(StatementKind.OPAQUE, StatementKind.DDL)),
            // SET TRANSACTION has the tag of SET.
            Map.entry("SET", EnumSet.of(StatementKind.SESSION_CONTROL, StatementKind.TRANSACTION_CONTROL)),
            Map.entry("RESET", EnumSet.of(StatementKind.SESSION_CONTROL)),
            Map.entry("DISCARD ALL", EnumSet.of(StatementKind.SESSION_CONTROL)),
            Map.entry("DISCARD PLANS", EnumSet.of(StatementKind.SESSION_CONTROL)),
            Map.entry("DISCARD SEQUENCES", EnumSet.of(StatementKind.SESSION_CONTROL)),
            Map.entry("DISCARD TEMP", EnumSet.of(StatementKind.SESSION_CONTROL)),
            Map.entry("PREPARE", EnumSet.of(StatementKind.SESSION_CONTROL)),
            Map.entry("DEALLOCATE", EnumSet.of(StatementKind.SESSION_CONTROL)),
            Map.entry("DEALLOCATE ALL", EnumSet.of(StatementKind.SESSION_CONTROL)),
            Map.entry("LISTEN", EnumSet.of(StatementKind.SESSION_CONTROL)),
            Map.entry("UNLISTEN", EnumSet.of(StatementKind.SESSION_CONTROL)),
            Map.entry("LOAD", EnumSet.of(StatementKind.SESSION_CONTROL)),
            Map.entry("NOTIFY", EnumSet.of(StatementKind.UTILITY)),
            Map.entry("LOCK TABLE", EnumSet.of(StatementKind.UTILITY)),
            Map.entry("CHECKPOINT", EnumSet.of(StatementKind.UTILITY)));

    private static final Set<String> TRANSACTION_CONTROL = Set.of(
            "BEGIN",
            "START TRANSACTION",
            "COMMIT",
            "ROLLBACK",
            "SAVEPOINT",
            "RELEASE",
            "PREPARE TRANSACTION",
            "COMMIT PREPARED",
            "ROLLBACK PREPARED",
            "SET CONSTRAINTS");

    private TagKinds() {}

    static EnumSet<StatementKind> of(String tag) {
        if (TRANSACTION_CONTROL.contains(tag)) {
            return EnumSet.of(StatementKind.TRANSACTION_CONTROL);
        }
        return BY_TAG.getOrDefault(tag, DDL);
    }
}
