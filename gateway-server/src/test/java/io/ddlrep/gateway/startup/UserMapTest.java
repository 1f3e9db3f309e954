package io.ddlrep.gateway.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may log in as whom, by the rules of pg_ident.conf. */
class UserMapTest {
    @TempDir
    private Path directory;

    private UserMap map(String text) throws IOException {
        return UserMap.read(Files.writeString(directory.resolve("map"), text));
    }

    @Test
    void without_a_file_the_name_is_the_role() {
        assertThat(UserMap.SAME_NAME.admits("alice", "alice")).isTrue();
        assertThat(UserMap.SAME_NAME.admits("alice", "bob")).isFalse();
        assertThat(UserMap.SAME_NAME.admits("alice", "Alice")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "alice laptop, alice, true",
        "alice laptop, deploy, true",
        "alice laptop, bob, false",
        "alice, alice, false",
        "a\"b, quoted role, true",
        "bob@example.com, bob, true",
        "bob@example.com, alice, false",
        "bob@example.com.evil.org, bob, false",
        "ops-17, admin, true",
        "xops-17, admin, false",
    })
    void lines_say_it(String name, String role, boolean admitted) throws IOException {
        UserMap map = map("""
                # name           role
                "alice laptop"   alice
                "alice laptop"   deploy     # two roles
                "a""b"  "quoted role"

                /^(.*)@example\\.com$ \\1
                /^ops- admin
                """);
        assertThat(map.admits(name, role)).isEqualTo(admitted);
    }

    @ParameterizedTest
    @CsvSource({
        "alice, expected the name",
        "alice bob carol, expected the name",
        "\"alice bob, expected the name",
        "/( bob, Unclosed group",
        "/x \\1, the name has no group",
    })
    void mistakes_are_told_with_their_line(String line, String what) {
        assertThatThrownBy(() -> map("ok ok\n" + line + "\n"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("map, line 2: ")
                .hasMessageContaining(what);
    }

    @Test
    void a_map_that_admits_nobody_is_a_mistake() {
        assertThatThrownBy(() -> map("# nobody\n")).hasMessageContaining("no line says who may log in");
    }
}
