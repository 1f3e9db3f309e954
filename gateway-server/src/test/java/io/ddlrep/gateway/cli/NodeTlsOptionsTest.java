package io.ddlrep.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.gateway.startup.Pki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** libpq's options of encryption, as the gateway's connections to nodes follow them. */
class NodeTlsOptionsTest {
    @TempDir
    private Path home;

    private String mode(Map<String, String> options) throws IOException {
        return NodeTlsOptions.read(options, home).toString();
    }

    @ParameterizedTest
    @CsvSource({
        ", false, PREFER",
        "disable, true, DISABLE",
        "allow, false, PREFER",
        "prefer, true, PREFER",
        "require, false, REQUIRE",
        "require, true, VERIFY_CA",
        "verify-ca, true, VERIFY_CA",
        "verify-full, true, VERIFY_FULL",
    })
    void modes(String sslmode, boolean authorities, String expected) throws Exception {
        Map<String, String> options = new HashMap<>();
        if (sslmode != null) {
            options.put("sslmode", sslmode);
        }
        if (authorities) {
            // Where libpq looks for it.
            Path root = Pki.create(home, "authority").authorities();
            Files.createDirectory(home.resolve(".postgresql"));
            Files.copy(root, home.resolve(".postgresql/root.crt"));
        }
        assertThat(mode(options)).isEqualTo("NodeTls[" + expected + "]");
    }

    @Test
    void what_cannot_be_verified_is_a_mistake() {
        assertThatThrownBy(() -> mode(Map.of("sslmode", "verify-full")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("sslmode verify-full needs a file of authorities")
                .hasMessageContaining(".postgresql/root.crt");
        assertThatThrownBy(() -> mode(Map.of("sslmode", "sometimes")))
                .hasMessage("invalid sslmode value: \"sometimes\"");
    }

    @Test
    void the_authorities_of_the_system_are_java_s() throws IOException {
        assertThat(mode(Map.of("sslmode", "verify-full", "sslrootcert", "system")))
                .isEqualTo("NodeTls[VERIFY_FULL]");
    }

    @Test
    void a_file_that_is_not_what_it_should_be_is_named() throws IOException {
        Path nothing = Files.writeString(home.resolve("nothing.pem"), "nothing");
        assertThatThrownBy(() -> mode(Map.of("sslmode", "verify-ca", "sslrootcert", nothing.toString())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nothing.pem");
        assertThatThrownBy(() ->
                        mode(Map.of("sslmode", "require", "sslcert", nothing.toString(), "sslkey", nothing.toString())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nothing.pem");
    }

    @Test
    void pgjdbc_is_told_what_kind_of_key_it_is() throws Exception {
        Path key = Pki.create(home, "authority").issue("gateway").key();
        assertThat(JdbcProperties.of(Map.of("sslkey", key.toString()))).containsEntry("pemKeyAlgorithm", "EC");
        assertThat(JdbcProperties.of(Map.of("sslkey", home.resolve("none").toString())))
                .doesNotContainKey("pemKeyAlgorithm");
    }
}
