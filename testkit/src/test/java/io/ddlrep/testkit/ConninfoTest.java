package io.ddlrep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ConninfoTest {

    @Test
    void blanks_around_equals_quotes_and_escapes_are_read_as_libpq_reads_them() {
        PgNode node =
                Conninfo.toNode("n1", " host = h1 port=5433  dbname='my db' user=\\'me password='it\\'s \\\\ me' ");
        assertThat(node).isEqualTo(new PgNode("n1", "h1", 5433, "my db", "'me", "it's \\ me"));
    }

    @Test
    void what_is_missing_has_libpqs_defaults() {
        PgNode node = Conninfo.toNode("n1", "user=me");
        assertThat(node).isEqualTo(new PgNode("n1", "localhost", 5432, "me", "me", ""));
    }

    @Test
    void a_written_conninfo_reads_back() {
        PgNode node = new PgNode("n1", "h", 1, "d'\\ b", "u r", "p w'");
        assertThat(Conninfo.toNode("n1", node.conninfo())).isEqualTo(node);
    }

    @Test
    void mistakes_are_named() {
        assertThatThrownBy(() -> Conninfo.toNode("n1", "host=h nonsense")).hasMessageContaining("missing \"=\"");
        assertThatThrownBy(() -> Conninfo.toNode("n1", "host='h")).hasMessageContaining("unterminated");
    }

    @Test
    void a_nodes_text_shows_no_password() {
        assertThat(new PgNode("n1", "h", 1, "d", "u", "secret").toString()).doesNotContain("secret");
    }
}
