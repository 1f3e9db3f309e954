package io.ddlrep.engine.replication;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Triggers and foreign keys that change rows of the same table while a statement is under way. */
class UserTriggersIT {
    private static RowsGroup group;

    @BeforeAll
    static void create() throws SQLException {
        group = RowsGroup.create("triggers", 2);
    }

    @AfterAll
    static void close() {
        group.close();
    }

    /** A table, and a trigger function that runs a text at the first level only. */
    private static void table(String name, String trigger, String body) throws SQLException {
        group.replicate(
                "CREATE TABLE " + name + " (id int PRIMARY KEY, v text, n int DEFAULT 0);"
                        + "CREATE FUNCTION " + name
                        + "_f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF pg_trigger_depth() = 1 THEN "
                        + body + " END IF; IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW; END $$;"
                        + "CREATE TRIGGER user_trigger " + trigger + " EXECUTE FUNCTION " + name + "_f()",
                name);
    }

    @Test
    void an_after_row_trigger_changes_the_same_row_again() throws SQLException {
        table("a1", "AFTER INSERT OR UPDATE ON a1 FOR EACH ROW", "UPDATE a1 SET n = n + 1 WHERE id = NEW.id;");
        group.write("INSERT INTO a1 VALUES (1, 'a'), (2, 'b')", "UPDATE a1 SET v = v || 'x'");
        group.assertSame("a1");
    }

    @Test
    void an_after_row_trigger_changes_other_rows_of_the_statement() throws SQLException {
        table("a2", "AFTER INSERT OR UPDATE ON a2 FOR EACH ROW", "UPDATE a2 SET n = n + 1 WHERE id <> NEW.id;");
        group.write("INSERT INTO a2 SELECT g, 'a' FROM generate_series(1, 5) g", "UPDATE a2 SET v = v || 'x'");
        group.assertSame("a2");
    }

    @Test
    void a_before_row_trigger_changes_a_row_that_the_statement_changed_already() throws SQLException {
        table(
                "b1",
                "BEFORE UPDATE ON b1 FOR EACH ROW",
                "IF NEW.id > 0 THEN UPDATE b1 SET n = n + 1 WHERE id = 0; END IF;");
        group.write("INSERT INTO b1 VALUES (0, 'total'), (1, 'a'), (2, 'b')");
        group.assertSame("b1");
        group.write("UPDATE b1 SET v = v || 'x'");
        group.assertSame("b1");
    }

    @Test
    void a_before_row_trigger_deletes_a_row_that_the_statement_inserted() throws SQLException {
        table("b2", "BEFORE INSERT ON b2 FOR EACH ROW", "DELETE FROM b2 WHERE id = NEW.id - 1;");
        group.write("INSERT INTO b2 SELECT g, 'x' FROM generate_series(1, 6) g");
        group.assertSame("b2");
    }

    @Test
    void a_before_delete_trigger_puts_a_deleted_row_back() throws SQLException {
        table(
                "b3",
                "BEFORE DELETE ON b3 FOR EACH ROW",
                "INSERT INTO b3 VALUES (OLD.id - 1, 'back') ON CONFLICT (id) DO NOTHING;");
        group.write("INSERT INTO b3 SELECT g, 'x' FROM generate_series(1, 6) g");
        group.assertSame("b3");
        group.write("DELETE FROM b3 WHERE id IN (2, 3, 4)");
        group.assertSame("b3");
    }

    @Test
    void a_before_row_trigger_changes_keys_that_the_statement_changed() throws SQLException {
        table("b4", "BEFORE UPDATE ON b4 FOR EACH ROW", "UPDATE b4 SET id = 100 + id WHERE id = 10 + NEW.id - 12;");
        group.write("INSERT INTO b4 SELECT g, 'x' FROM generate_series(1, 6) g");
        group.assertSame("b4");
        group.write("UPDATE b4 SET id = id + 10");
        group.assertSame("b4");
    }

    @Test
    void a_before_row_trigger_that_only_edits_the_new_row() throws SQLException {
        table("b5", "BEFORE INSERT OR UPDATE ON b5 FOR EACH ROW", "NEW.v := upper(NEW.v);");
        group.write(
                "INSERT INTO b5 VALUES (1, 'a'), (2, 'b')",
                "UPDATE b5 SET v = 'c' WHERE id = 2",
                "DELETE FROM b5 WHERE id = 1");
        group.write("INSERT INTO b5 VALUES (2, 'd'), (3, 'e') ON CONFLICT (id) DO UPDATE SET v = excluded.v");
        group.assertSame("b5");
    }

    @Test
    void an_after_statement_trigger_changes_the_same_rows() throws SQLException {
        table("s1", "AFTER INSERT ON s1 FOR EACH STATEMENT", "UPDATE s1 SET n = n + 1;");
        group.write("INSERT INTO s1 VALUES (1, 'a'), (2, 'b')");
        group.assertSame("s1");
    }

    @Test
    void cascades_of_foreign_keys() throws SQLException {
        group.replicate(
                "CREATE TABLE par (id int PRIMARY KEY, v text);"
                        + "CREATE TABLE ch (id int PRIMARY KEY, pid int REFERENCES par ON DELETE CASCADE ON UPDATE CASCADE);"
                        + "CREATE TABLE ch2 (id int PRIMARY KEY, pid int REFERENCES par ON DELETE SET NULL ON UPDATE CASCADE)",
                "par",
                "ch",
                "ch2");
        group.write(
                "INSERT INTO par SELECT g, 'p' FROM generate_series(1, 200) g",
                "INSERT INTO ch SELECT g, (g - 1) % 200 + 1 FROM generate_series(1, 1000) g",
                "INSERT INTO ch2 SELECT g, (g - 1) % 200 + 1 FROM generate_series(1, 400) g");
        group.assertSame("par", "ch", "ch2");
        group.write("DELETE FROM par WHERE id <= 100", "UPDATE par SET id = id + 5000 WHERE id <= 150");
        group.assertSame("par", "ch", "ch2");
        group.write("TRUNCATE par CASCADE");
        group.assertSame("par", "ch", "ch2");
    }

    @Test
    void two_actions_on_one_row_and_a_trigger_that_was_there_first() throws SQLException {
        group.replicate(
                "CREATE TABLE usr (id int PRIMARY KEY);"
                        + "CREATE TABLE msg (id int PRIMARY KEY, sender int REFERENCES usr ON DELETE CASCADE,"
                        + " reviewer int REFERENCES usr ON DELETE SET NULL, note text DEFAULT '');"
                        + "CREATE FUNCTION usr_note() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN UPDATE public.msg SET note = note || ''x'' WHERE id = 4; RETURN NULL; END';"
                        + "CREATE TRIGGER note AFTER DELETE ON usr FOR EACH ROW EXECUTE FUNCTION usr_note()",
                "usr",
                "msg");
        group.write(
                "INSERT INTO usr SELECT g FROM generate_series(1, 9) g",
                "INSERT INTO msg VALUES (2, 3, 1), (4, 5, 6), (7, 8, 9)");
        group.assertSame("usr", "msg");
        group.write("DELETE FROM usr WHERE id IN (1, 3)");
        group.assertSame("usr", "msg");
        group.write("DELETE FROM usr WHERE id = 6");
        group.assertSame("usr", "msg");
    }

    @Test
    void a_tree_that_refers_to_itself() throws SQLException {
        group.replicate(
                "CREATE TABLE tree (id int PRIMARY KEY, up int REFERENCES tree ON DELETE CASCADE ON UPDATE CASCADE, v text);"
                        + "CREATE TABLE path (a int, b int, PRIMARY KEY (a, b), UNIQUE (b), FOREIGN KEY (a) REFERENCES path (b) ON UPDATE CASCADE)",
                "tree",
                "path");
        group.write(
                "INSERT INTO tree SELECT g, CASE WHEN g = 1 THEN NULL ELSE g / 2 END, 'n' FROM generate_series(1, 255) g",
                "INSERT INTO path VALUES (1, 1), (1, 2), (2, 3)");
        group.assertSame("tree", "path");
        group.write("UPDATE tree SET id = id + 1000", "UPDATE path SET b = b + 100");
        group.assertSame("tree", "path");
        group.write("DELETE FROM tree WHERE id = 1002");
        group.assertSame("tree", "path");
    }
}
