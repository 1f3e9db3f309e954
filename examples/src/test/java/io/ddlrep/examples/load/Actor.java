package io.ddlrep.examples.load;

import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Sends random DML over one connection and keeps the book. It changes rows of its own, which nobody else does, so that it
 * knows what each statement must find, and hot rows, which everybody does. One thread at a time.
 */
final class Actor {
    private static final int MOST_ROWS = 60;
    private static final long SHIFT = 1_000_000_000L;
    private static final long HIGHEST_ID = 900_000_000_000L;

    private final Connection connection;
    private final Book book;
    private final SplittableRandom random;
    private Shapes shapes;
    private long counter;
    private String doing = "";

    /** One kind of statement. */
    private interface Work {
        void run(Entity entity) throws SQLException;
    }

    private final Map<String, Work> works = new TreeMap<>();

    Actor(Connection connection, Book book, SplittableRandom random, Shapes shapes, long firstId) {
        this.connection = connection;
        this.book = book;
        this.random = random;
        this.shapes = shapes;
        this.counter = firstId;
        works.put("insert", this::insert);
        works.put("insert many", this::insertMany);
        works.put("update", this::update);
        works.put("update many", this::updateMany);
        works.put("delete", this::delete);
        works.put("key update", this::moveKey);
        works.put("key shift", this::shiftKeys);
        works.put("copy", this::copy);
        works.put("batch", this::batch);
        works.put("read", this::read);
        works.put("savepoint", this::savepoint);
        works.put("swap", this::swap);
    }

    void shapes(Shapes now) {
        shapes = now;
    }

    long counter() {
        return counter;
    }

    /** What it did last, for a report. */
    String doing() {
        return doing;
    }

    /** One random statement, or two. */
    void step() throws SQLException {
        List<String> names = List.copyOf(works.keySet());
        String name = names.get(random.nextInt(names.size()));
        List<Entity> entities = List.of(Entity.values());
        Entity entity = entities.get(random.nextInt(entities.size()));
        boolean swapping = name.equals("swap");
        run(name, swapping ? Entity.SWAP : entity);
    }

    private void run(String name, Entity entity) throws SQLException {
        doing = name + " " + entity;
        java.util.Objects.requireNonNull(works.get(name)).run(entity);
    }

    /** A statement that is a transaction of its own. */
    void autocommitted() throws SQLException {
        Entity entity = List.of(Entity.ACCT, Entity.BAG, Entity.PART, Entity.TRIG, Entity.GEN, Entity.SWAP)
                .get(random.nextInt(6));
        doing = "insert pair " + entity;
        long amount = random.nextLong(1, 50);
        insertValues(entity, List.of(amount, -amount));
    }

    /** The last statement of each transaction: a hot row takes what is over. */
    void balance() throws SQLException {
        if (book.balance() == 0) {
            return;
        }
        List<Entity> choice = List.of(Entity.ACCT, Entity.PART, Entity.TRIG, Entity.GEN, Entity.SWAP);
        Entity entity = choice.get(random.nextInt(choice.size()));
        long id = random.nextInt(Entity.HOT_ROWS) + 1L;
        long amount = -book.balance();
        String value = shapes.value(entity);
        if (entity != Entity.SWAP && random.nextInt(3) == 0) {
            doing = "upsert " + entity;
            String overriding = entity == Entity.GEN ? " OVERRIDING SYSTEM VALUE" : "";
            expect(
                    1,
                    "INSERT INTO " + shapes.table(entity) + " AS t (id, w, " + value + ", opt)" + overriding
                            + " VALUES (?, -1, ?, '1') ON CONFLICT (id) DO UPDATE SET " + value + " = t." + value
                            + " + excluded." + value,
                    id,
                    amount);
        } else {
            doing = "hot update " + entity;
            expect(
                    1,
                    "UPDATE " + shapes.table(entity) + " SET " + value + " = " + value + " + ? WHERE id = ?",
                    amount,
                    id);
        }
        book.add(book.hot(entity), id, amount);
        book.addBalance(amount);
    }

    private long nextId() {
        return ++counter * 1000 + book.writer();
    }

    private long amount() {
        return random.nextLong(-50, 51);
    }

    private int execute(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.execute() ? -1 : statement.getUpdateCount();
        }
    }

    /** A statement that must change so many rows: on the origin the book is always right. */
    private void expect(int count, String sql, Object... parameters) throws SQLException {
        int changed = execute(sql, parameters);
        if (changed != count) {
            throw new IllegalStateException(
                    "writer " + book.writer() + " changed " + changed + " rows instead of " + count + ": " + sql);
        }
    }

    private @Nullable Long own(Entity entity) {
        return random(entity == Entity.CUT ? new TreeMap<>() : book.rows(entity));
    }

    private @Nullable Long random(NavigableMap<Long, Long> rows) {
        if (rows.isEmpty()) {
            return null;
        }
        long at = random.nextLong(rows.firstKey(), rows.lastKey() + 1);
        return rows.ceilingKey(at);
    }

    private void insert(Entity entity) throws SQLException {
        if (book.rows(entity).size() >= MOST_ROWS && entity != Entity.CUT) {
            delete(entity);
        }
        insertValues(entity, List.of(amount()));
    }

    private void insertMany(Entity entity) throws SQLException {
        List<Long> values = new ArrayList<>();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            values.add(amount());
        }
        insertValues(entity, values);
    }

    private void batch(Entity entity) throws SQLException {
        if (entity == Entity.ENTRY || entity == Entity.CUT) {
            return;
        }
        List<Long> values = List.of(amount(), amount(), amount());
        String id = entity.hasId() ? "id, " : "";
        String overriding = entity == Entity.GEN ? " OVERRIDING SYSTEM VALUE" : "";
        List<Long> ids = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO " + shapes.table(entity) + " (" + id
                + "w, " + shapes.value(entity) + ", opt)" + overriding + " VALUES ("
                + (entity.hasId() ? "?, " : "") + "?, ?, '2')")) {
            for (long value : values) {
                int at = 1;
                long next = nextId();
                ids.add(next);
                if (entity.hasId()) {
                    statement.setLong(at++, next);
                }
                statement.setInt(at++, book.writer());
                statement.setLong(at, value);
                statement.addBatch();
            }
            statement.executeBatch();
        }
        for (int i = 0; i < values.size(); i++) {
            added(entity, ids.get(i), values.get(i));
        }
    }

    private void insertValues(Entity entity, List<Long> values) throws SQLException {
        Long parent = entity == Entity.ENTRY ? own(Entity.ACCT) : Long.valueOf(0);
        if (parent == null) {
            return;
        }
        boolean serverChooses = entity == Entity.GEN && values.size() == 1 && random.nextBoolean();
        boolean opt = random.nextInt(4) > 0;
        StringBuilder sql = new StringBuilder("INSERT INTO " + shapes.table(entity) + " (w, " + shapes.value(entity)
                + ", pad" + (entity.hasId() && !serverChooses ? ", id" : "")
                + (entity == Entity.ENTRY ? ", acct_id" : "") + (opt ? ", opt" : "") + ")"
                + (entity == Entity.GEN && !serverChooses ? " OVERRIDING SYSTEM VALUE" : "") + " VALUES ");
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            long id = nextId();
            ids.add(id);
            sql.append(i == 0 ? "" : ", ")
                    .append('(')
                    .append(book.writer())
                    .append(", ")
                    .append(values.get(i));
            sql.append(", 'p").append(random.nextInt(100)).append('\'');
            sql.append(entity.hasId() && !serverChooses ? ", " + id : "");
            sql.append(entity == Entity.ENTRY ? ", " + parent : "")
                    .append(opt ? ", '7'" : "")
                    .append(')');
        }
        if (serverChooses) {
            try (Statement statement = connection.createStatement();
                    ResultSet made = statement.executeQuery(sql + " RETURNING id")) {
                made.next();
                added(entity, made.getLong(1), values.get(0));
            }
            return;
        }
        expect(values.size(), sql.toString());
        for (int i = 0; i < values.size(); i++) {
            added(entity, ids.get(i), values.get(i));
            if (entity == Entity.ENTRY) {
                book.set(book.parents(), ids.get(i), parent);
            }
        }
    }

    private void added(Entity entity, long id, long value) throws SQLException {
        if (entity == Entity.BAG) {
            book.add(book.rows(entity), value, 1);
        } else {
            book.set(book.rows(entity), id, entity == Entity.CUT ? epoch() : value);
        }
        if (entity.balanced()) {
            book.addBalance(value);
        }
    }

    /** Whoever has written to the table holds off the next TRUNCATE: the epoch is that of its rows. */
    private long epoch() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet epoch = statement.executeQuery("SELECT e FROM public.epoch WHERE id = 1")) {
            epoch.next();
            return epoch.getLong(1);
        }
    }

    private void update(Entity entity) throws SQLException {
        Long id = own(entity);
        if (id == null) {
            return;
        }
        long more = amount();
        String value = shapes.value(entity);
        if (entity == Entity.BAG) {
            long count = book.rows(entity).getOrDefault(id, 0L);
            expect(
                    (int) count,
                    "UPDATE " + shapes.table(entity) + " SET " + value + " = " + value + " + ? WHERE w = ? AND " + value
                            + " = ?",
                    more,
                    book.writer(),
                    id);
            book.set(book.rows(entity), id, null);
            book.add(book.rows(entity), id + more, count);
            book.addBalance(more * count);
            return;
        }
        expect(
                1,
                "UPDATE " + shapes.table(entity) + " SET " + value + " = " + value + " + ?, opt = '4' WHERE id = ?",
                more,
                id);
        book.set(book.rows(entity), id, book.rows(entity).getOrDefault(id, 0L) + more);
        book.addBalance(more);
    }

    private void updateMany(Entity entity) throws SQLException {
        if (entity == Entity.BAG || entity == Entity.CUT) {
            return;
        }
        Long from = own(entity);
        if (from == null) {
            return;
        }
        List<Long> ids = List.copyOf(book.rows(entity).tailMap(from, true).keySet());
        long more = amount();
        String value = shapes.value(entity);
        expect(
                ids.size(),
                "UPDATE " + shapes.table(entity) + " SET " + value + " = " + value + " + ? WHERE w = ? AND id >= ?",
                more,
                book.writer(),
                from);
        for (long id : ids) {
            book.set(book.rows(entity), id, book.rows(entity).getOrDefault(id, 0L) + more);
        }
        book.addBalance(more * ids.size());
    }

    private void delete(Entity entity) throws SQLException {
        Long id = own(entity);
        if (id == null) {
            return;
        }
        long value = book.rows(entity).getOrDefault(id, 0L);
        if (entity == Entity.BAG) {
            // One of several equal rows.
            expect(
                    1,
                    "DELETE FROM " + shapes.table(entity) + " WHERE ctid = (SELECT ctid FROM " + shapes.table(entity)
                            + " WHERE w = ? AND " + shapes.value(entity) + " = ? LIMIT 1)",
                    book.writer(),
                    id);
            book.add(book.rows(entity), id, -1);
            book.addBalance(-id);
            return;
        }
        expect(1, "DELETE FROM " + shapes.table(entity) + " WHERE id = ?", id);
        forget(entity, id, value);
    }

    private void forget(Entity entity, long id, long value) {
        book.set(book.rows(entity), id, null);
        book.addBalance(-value);
        if (entity == Entity.TRIG) {
            book.add(book.deletedFromTrig(), id, 1);
        }
        if (entity == Entity.ENTRY) {
            book.set(book.parents(), id, null);
        }
        if (entity == Entity.ACCT) {
            for (long child : children(id)) {
                forget(Entity.ENTRY, child, book.rows(Entity.ENTRY).getOrDefault(child, 0L));
            }
        }
    }

    private List<Long> children(long account) {
        return book.parents().entrySet().stream()
                .filter(e -> e.getValue() == account)
                .map(Map.Entry::getKey)
                .toList();
    }

    private void moved(Entity entity, long from, long to) {
        long value = book.rows(entity).getOrDefault(from, 0L);
        book.set(book.rows(entity), from, null);
        book.set(book.rows(entity), to, value);
        if (entity == Entity.ACCT) {
            children(from).forEach(child -> book.set(book.parents(), child, to));
        }
        if (entity == Entity.ENTRY) {
            long parent = book.parents().getOrDefault(from, 0L);
            book.set(book.parents(), from, null);
            book.set(book.parents(), to, parent);
        }
    }

    private void moveKey(Entity entity) throws SQLException {
        Long id = own(entity);
        if (id == null || entity == Entity.BAG || entity == Entity.GEN) {
            return;
        }
        long next = nextId();
        expect(1, "UPDATE " + shapes.table(entity) + " SET id = ? WHERE id = ?", next, id);
        moved(entity, id, next);
    }

    private void shiftKeys(Entity entity) throws SQLException {
        if (entity == Entity.BAG || entity == Entity.GEN || entity == Entity.CUT) {
            return;
        }
        List<Long> ids = book.rows(entity).headMap(HIGHEST_ID).keySet().stream()
                .limit(random.nextInt(2, 5))
                .toList();
        if (ids.isEmpty()) {
            return;
        }
        expect(
                ids.size(),
                "UPDATE " + shapes.table(entity) + " SET id = id + " + SHIFT + " WHERE w = ? AND id BETWEEN ? AND ?",
                book.writer(),
                ids.get(0),
                ids.get(ids.size() - 1));
        ids.forEach(id -> moved(entity, id, id + SHIFT));
    }

    private void swap(Entity entity) throws SQLException {
        Long first = own(entity);
        Long second = own(entity);
        if (first == null || second == null || first.equals(second)) {
            return;
        }
        expect(
                2,
                "UPDATE " + shapes.table(entity) + " SET id = CASE id WHEN ? THEN ? ELSE ? END WHERE id IN (?, ?)",
                first,
                second,
                first,
                first,
                second);
        long value = book.rows(entity).getOrDefault(first, 0L);
        book.set(book.rows(entity), first, book.rows(entity).getOrDefault(second, 0L));
        book.set(book.rows(entity), second, value);
    }

    private void copy(Entity entity) throws SQLException {
        if (entity == Entity.ENTRY || entity == Entity.CUT) {
            return;
        }
        StringBuilder text = new StringBuilder();
        List<Long> ids = new ArrayList<>();
        List<Long> values = new ArrayList<>();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            long id = nextId();
            long value = amount();
            ids.add(id);
            values.add(value);
            text.append(entity.hasId() ? id + "\t" : "")
                    .append(book.writer())
                    .append('\t')
                    .append(value);
            text.append("\tcopied\t9\n");
        }
        try {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(
                            "COPY " + shapes.table(entity) + " (" + (entity.hasId() ? "id, " : "") + "w, "
                                    + shapes.value(entity) + ", pad, opt) FROM STDIN",
                            new StringReader(text.toString()));
        } catch (IOException e) {
            throw new IllegalStateException("a string cannot fail", e);
        }
        for (int i = 0; i < ids.size(); i++) {
            added(entity, ids.get(i), values.get(i));
        }
    }

    /** A plan that is cached by the driver and the server, of a shape that changes. */
    private void read(Entity entity) throws SQLException {
        Long id = own(entity);
        if (id == null || entity == Entity.BAG) {
            return;
        }
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT * FROM " + shapes.table(entity) + " WHERE id = ?")) {
            statement.setLong(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                String column = shapes.value(entity).replace("\"", "");
                if (!rows.next() || rows.getLong(column) != book.rows(entity).getOrDefault(id, 0L)) {
                    throw new IllegalStateException(
                            "writer " + book.writer() + " does not find its row " + id + " in " + shapes.table(entity));
                }
            }
        }
    }

    private void savepoint(Entity entity) throws SQLException {
        java.sql.Savepoint savepoint = connection.setSavepoint();
        int mark = book.mark();
        run("insert many", entity);
        run("update", entity);
        run("delete", entity);
        connection.rollback(savepoint);
        book.undoTo(mark);
        run("insert", entity);
    }
}
