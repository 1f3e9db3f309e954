package io.ddlrep.testkit.load;

/**
 * Ready-made transactions on one table with an integer key and a text column. Immutable.
 *
 * @param table name as SQL writes it
 * @param keyColumn unique integer column
 * @param valueColumn text column
 * @param keys keys are 0 to this, exclusive
 */
public record TableWork(String table, String keyColumn, String valueColumn, int keys) {

    /** Work on columns {@code id} and {@code v} with 10,000 keys. */
    public static TableWork on(String table) {
        return new TableWork(table, "id", "v", 10_000);
    }

    /** Inserts a row with a random key; a key that is there already is left alone. */
    public LoadTransaction insert() {
        String sql = "INSERT INTO " + table + " (" + keyColumn + ", " + valueColumn
                + ") VALUES (?, ?) ON CONFLICT DO NOTHING";
        return session -> session.execute(sql, key(session), value(session));
    }

    /** Updates the row with a random key, if it is there. */
    public LoadTransaction update() {
        String sql = "UPDATE " + table + " SET " + valueColumn + " = ? WHERE " + keyColumn + " = ?";
        return session -> session.execute(sql, value(session), key(session));
    }

    /** Deletes the row with a random key, if it is there. */
    public LoadTransaction delete() {
        String sql = "DELETE FROM " + table + " WHERE " + keyColumn + " = ?";
        return session -> session.execute(sql, key(session));
    }

    private int key(LoadSession session) {
        return session.random().nextInt(keys);
    }

    private static String value(LoadSession session) {
        return Long.toHexString(session.random().nextLong());
    }
}
