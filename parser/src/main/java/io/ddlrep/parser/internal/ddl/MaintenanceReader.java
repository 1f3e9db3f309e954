package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.internal.Cursor;

/** Reads TRUNCATE, REFRESH MATERIALIZED VIEW, CLUSTER, REINDEX, VACUUM and ANALYZE. Stateless. */
final class MaintenanceReader {
    private MaintenanceReader() {}

    /** [TABLE] [ONLY] name [*] [, …] [RESTART IDENTITY | CONTINUE IDENTITY] [CASCADE | RESTRICT]. */
    static void truncate(Cursor cursor, Findings findings) {
        cursor.accept("TABLE");
        do {
            boolean parenthesised = cursor.accept("ONLY") && cursor.accept('(');
            findings.add(ObjectKind.TABLE, cursor.name(), ObjectRole.TRUNCATED);
            if (parenthesised) {
                cursor.accept(')');
            }
            cursor.acceptText("*");
        } while (cursor.accept(','));
        if (cursor.accept("RESTART", "IDENTITY")) {
            findings.fact(DdlFact.RESTART_IDENTITY);
        } else {
            cursor.accept("CONTINUE", "IDENTITY");
        }
        AlterAction.behaviour(cursor, findings);
        findings.missedUnless(cursor.done());
    }

    /** [CONCURRENTLY] name [WITH [NO] DATA]. */
    static void refresh(Cursor cursor, Findings findings) {
        findings.fact(DdlFact.ROWS_FROM_QUERY);
        if (cursor.accept("CONCURRENTLY")) {
            findings.fact(DdlFact.CONCURRENTLY);
        }
        findings.add(ObjectKind.MATERIALIZED_VIEW, cursor.name(), ObjectRole.ALTERED);
        if (cursor.accept("WITH", "NO", "DATA")) {
            findings.fact(DdlFact.WITH_NO_DATA);
        } else {
            cursor.accept("WITH", "DATA");
        }
        findings.missedUnless(cursor.done());
    }

    /** [VERBOSE | (options)] [table [USING index] | index ON table]. Without a table: all that were clustered before. */
    static void cluster(Cursor cursor, Findings findings) {
        cursor.skipGroup();
        if (cursor.at("VERBOSE") && !cursor.at(1, "USING")) {
            cursor.skip();
        }
        if (cursor.done()) {
            findings.missed();
            return;
        }
        ObjectName first = cursor.name();
        if (cursor.accept("ON")) {
            ObjectName table = cursor.name();
            if (first != null && table != null) {
                findings.add(ObjectKind.INDEX, new ObjectName(table.schema(), first.name()), ObjectRole.ALTERED);
            }
            findings.add(ObjectKind.TABLE, table, ObjectRole.ALTERED);
        } else {
            findings.add(ObjectKind.TABLE, first, ObjectRole.ALTERED);
            if (cursor.accept("USING") && first != null) {
                String index = cursor.identifier();
                findings.add(
                        ObjectKind.INDEX,
                        index == null ? null : new ObjectName(first.schema(), index),
                        ObjectRole.ALTERED);
            }
        }
        findings.missedUnless(cursor.done());
    }

    /** [(options)] { INDEX | TABLE | SCHEMA | DATABASE | SYSTEM } [CONCURRENTLY] [name]. */
    static void reindex(Cursor cursor, Findings findings) {
        ObjectName tablespace = null;
        if (cursor.atSymbol('(')) {
            Cursor options = cursor.over(cursor.index() + 1, cursor.closing());
            if (options.skipToWord("CONCURRENTLY")
                    && !options.at(1, "FALSE")
                    && !options.at(1, "OFF")
                    && !options.tokens().isText(options.index() + 1, "0")) {
                findings.fact(DdlFact.CONCURRENTLY);
            }
            options.moveTo(cursor.index() + 1);
            if (options.skipToWord("TABLESPACE")) {
                options.skip();
                tablespace = options.name();
            }
            cursor.skipGroup();
        }
        String what = cursor.word();
        cursor.skip();
        if (cursor.accept("CONCURRENTLY")) {
            findings.fact(DdlFact.CONCURRENTLY);
        }
        switch (what) {
            case "INDEX" -> findings.add(ObjectKind.INDEX, cursor.name(), ObjectRole.ALTERED);
            case "TABLE" -> findings.add(ObjectKind.TABLE, cursor.name(), ObjectRole.ALTERED);
            case "SCHEMA" -> {
                findings.add(ObjectKind.SCHEMA, cursor.name(), ObjectRole.ALTERED);
                findings.missed();
            }
            default -> {
                if (what.equals("DATABASE") && !cursor.done()) {
                    findings.add(ObjectKind.DATABASE, cursor.name(), ObjectRole.ALTERED);
                }
                cursor.skipAll();
                findings.missed();
            }
        }
        if (tablespace != null) {
            findings.add(ObjectKind.TABLESPACE, tablespace, ObjectRole.REFERENCED);
        }
        findings.missedUnless(cursor.done());
    }

    /** [(options) | words] [[ONLY] table [(columns)] [, …]] of VACUUM and ANALYZE. Without a table: all of the database. */
    static void tables(Cursor cursor, Findings findings) {
        if (!cursor.skipGroup()) {
            while (cursor.acceptAny("FULL", "FREEZE", "VERBOSE", "ANALYZE", "ANALYSE")) {}
        }
        if (cursor.done()) {
            findings.missed();
            return;
        }
        do {
            cursor.accept("ONLY");
            findings.add(ObjectKind.TABLE, cursor.name(), ObjectRole.ALTERED);
            cursor.acceptText("*");
            cursor.skipGroup();
        } while (cursor.accept(','));
        findings.missedUnless(cursor.done());
    }
}
