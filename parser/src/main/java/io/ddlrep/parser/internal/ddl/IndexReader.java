package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.Expression.Place;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.internal.Cursor;

/** Reads CREATE INDEX. Stateless. */
final class IndexReader {
    private IndexReader() {}

    /** [CONCURRENTLY] [[IF NOT EXISTS] name] ON [ONLY] table [USING method] (…) [INCLUDE …] [WITH …] [WHERE …]. */
    static void read(Cursor cursor, Findings findings) {
        if (cursor.accept("CONCURRENTLY")) {
            findings.fact(DdlFact.CONCURRENTLY);
        }
        if (cursor.accept("IF", "NOT", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
        String index = cursor.at("ON") ? null : cursor.identifier();
        if (!cursor.accept("ON")) {
            findings.missed();
            return;
        }
        cursor.accept("ONLY");
        ObjectName table = cursor.name();
        if (index != null && table != null) {
            findings.add(ObjectKind.INDEX, new ObjectName(table.schema(), index), ObjectRole.CREATED);
        }
        findings.add(ObjectKind.TABLE, table, ObjectRole.ALTERED);
        cursor.acceptText("*");
        if (cursor.accept("USING")) {
            cursor.identifier();
        }
        findings.missedUnless(cursor.atSymbol('('));
        elements(cursor.over(cursor.index() + 1, cursor.closing()), Place.INDEX, findings);
        cursor.skipGroup();
        while (!cursor.done() && !cursor.at("WHERE")) {
            if (cursor.accept("TABLESPACE")) {
                findings.add(ObjectKind.TABLESPACE, cursor.name(), ObjectRole.REFERENCED);
            } else {
                cursor.skipItem();
            }
        }
        if (cursor.accept("WHERE")) {
            findings.expression(Place.INDEX, "", cursor.index(), cursor.limit());
        }
        cursor.skipAll();
    }

    /** The expressions among the elements of an index, a partition key or statistics: in parentheses, or a function call. */
    static void elements(Cursor cursor, Place place, Findings findings) {
        while (!cursor.done()) {
            int from = cursor.index();
            if (cursor.atSymbol('(')) {
                findings.expression(place, "", from + 1, cursor.closing());
            } else {
                cursor.parts();
                if (cursor.skipGroup()) {
                    findings.expression(place, "", from, cursor.index());
                }
            }
            cursor.skipTo(',');
            cursor.accept(',');
        }
    }
}
