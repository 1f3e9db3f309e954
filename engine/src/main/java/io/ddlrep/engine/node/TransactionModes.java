package io.ddlrep.engine.node;

import java.util.Locale;

/**
 * The modes of the transaction that is open, which AND CHAIN gives to the next one. One thread at a time.
 *
 * @param session the session whose transaction it is
 */
public record TransactionModes(NodeSession session) {
    /** As they stand behind BEGIN. */
    public String text() {
        Row row = session.query("SELECT pg_catalog.current_setting('transaction_isolation') AS isolation,"
                        + " pg_catalog.current_setting('transaction_read_only') AS read_only,"
                        + " pg_catalog.current_setting('transaction_deferrable') AS deferrable")
                .get(0);
        return "ISOLATION LEVEL " + row.text("isolation").toUpperCase(Locale.ROOT)
                + (row.text("read_only").equals("on") ? ", READ ONLY" : ", READ WRITE")
                + (row.text("deferrable").equals("on") ? ", DEFERRABLE" : ", NOT DEFERRABLE");
    }
}
