package io.ddlrep.parser.internal;

import static io.ddlrep.parser.Transactability.ALLOWED;
import static io.ddlrep.parser.Transactability.REFUSED;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.SqlCommand;
import io.ddlrep.parser.SqlCommand.InBlock;
import io.ddlrep.parser.Transactability;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells which forms of a command PostgreSQL refuses inside a transaction block: the callers of PreventInTransactionBlock
 * in src/backend. Where only the catalogs could tell (REINDEX or CLUSTER of a partitioned table), the answer is ALLOWED;
 * DROP SUBSCRIPTION, which runs in a block only without a slot, is REFUSED. Stateless.
 */
final class BlockRules {
    private BlockRules() {}

    static Transactability of(SqlCommand command, Cursor cursor, Set<DdlFact> facts) {
        if (command.inBlock() != InBlock.DEPENDS) {
            return command.inBlock() == InBlock.REFUSED ? REFUSED : ALLOWED;
        }
        boolean concurrently = facts.contains(DdlFact.CONCURRENTLY);
        boolean refused = switch (command) {
            case CREATE_INDEX, DROP_INDEX, ALTER_TABLE -> concurrently;
            case REINDEX -> concurrently || reindexesMany(cursor);
            case CLUSTER -> clustersAll(cursor);
            case DISCARD -> cursor.at("ALL");
            case ALTER_DATABASE -> mentions(cursor, "SET", "TABLESPACE");
            case CREATE_SUBSCRIPTION -> !isOff(cursor, "CREATE_SLOT") && !isOff(cursor, "CONNECT");
            case ALTER_SUBSCRIPTION -> altersSubscription(cursor);
            default -> true;
        };
        return refused ? REFUSED : ALLOWED;
    }

    private static boolean reindexesMany(Cursor cursor) {
        cursor.skipGroup();
        return cursor.at("SCHEMA") || cursor.at("DATABASE") || cursor.at("SYSTEM");
    }

    private static boolean clustersAll(Cursor cursor) {
        cursor.skipGroup();
        if (!cursor.at(1, "USING") && !cursor.at(1, "ON")) {
            cursor.accept("VERBOSE");
        }
        return cursor.done();
    }

    /** What talks to the publisher in a way that cannot be undone. */
    private static boolean altersSubscription(Cursor cursor) {
        boolean publications = mentions(cursor, "SET", "PUBLICATION")
                || mentions(cursor, "ADD", "PUBLICATION")
                || mentions(cursor, "DROP", "PUBLICATION");
        return mentions(cursor, "REFRESH", "PUBLICATION")
                || (publications && !isOff(cursor, "REFRESH"))
                || option(cursor, "FAILOVER") >= 0
                || option(cursor, "TWO_PHASE") >= 0;
    }

    private static boolean mentions(Cursor cursor, String first, String second) {
        for (int i = cursor.index(); i < cursor.limit(); i++) {
            if (cursor.tokens().isWord(i, first) && cursor.tokens().isWord(i + 1, second)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOff(Cursor cursor, String option) {
        int at = option(cursor, option);
        if (at < 0) {
            return false;
        }
        int value = cursor.tokens().isText(at + 1, "=") ? at + 2 : at + 1;
        @Nullable Boolean set = BooleanWords.parse(cursor.tokens().text(value));
        return set != null && !set;
    }

    /** The place of an option in WITH (…) or SET (…); -1 where it is not given. */
    private static int option(Cursor cursor, String option) {
        for (int i = cursor.index() + 1; i < cursor.limit(); i++) {
            boolean starts =
                    cursor.tokens().isSymbol(i - 1, '(') || cursor.tokens().isSymbol(i - 1, ',');
            if (starts && cursor.tokens().isWord(i, option)) {
                return i;
            }
        }
        return -1;
    }
}
