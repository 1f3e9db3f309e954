package io.ddlrep.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.engine.node.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Priorities and files of libpq. */
class ConnDefaultsTest {
    private final Map<String, String> environment = new HashMap<>();
    private final List<String> warnings = new ArrayList<>();

    @TempDir
    Path home = Path.of("");

    private ConnDefaults defaults() {
        return new ConnDefaults(environment, home, "osuser", warnings::add);
    }

    private ConnTarget complete(String text) {
        return defaults().complete(ConnInfo.parse(text));
    }

    private @Nullable String password(String text) {
        ConnTarget target = complete(text);
        return defaults().password(target, target.place(), target.user());
    }

    private Path passwordFile(String permissions, String... lines) throws IOException {
        Path file = home.resolve(".pgpass");
        Files.write(file, List.of(lines));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file;
    }

    @Test
    void built_in_defaults() {
        ConnTarget target = complete("");
        assertThat(target.place()).isEqualTo(new ConnTarget.Place("localhost", 5432, "osuser"));
        assertThat(target.user()).isEqualTo("osuser");
        assertThat(complete("user=u").place().database()).isEqualTo("u");
        assertThat(complete("hostaddr=127.0.0.1").place().host()).isEqualTo("127.0.0.1");
    }

    @Test
    void the_string_goes_before_the_service_file_and_that_before_the_environment() throws IOException {
        environment.putAll(Map.of(
                "PGHOST", "env", "PGPORT", "1", "PGDATABASE", "envdb", "PGUSER", "envuser", "PGSSLMODE", "require"));
        Files.writeString(
                home.resolve(".pg_service.conf"),
                "# comment\n\n[other]\nhost=no\n[s]\nhost=service\nport=2\n\n[late]\nport=9\n");
        ConnTarget target = complete("service=s host=given");
        assertThat(target.place()).isEqualTo(new ConnTarget.Place("given", 2, "envdb"));
        assertThat(target.user()).isEqualTo("envuser");
        assertThat(target.properties()).isEqualTo(Map.of("sslmode", "require"));
        environment.put("PGSERVICE", "s");
        assertThat(complete("").place()).isEqualTo(new ConnTarget.Place("service", 2, "envdb"));
    }

    @Test
    void service_files_elsewhere_and_wrong_ones() throws IOException {
        Path own = home.resolve("own.conf");
        Files.writeString(own, "[s]\nhost=own\n[bad]\nhots=x\n[nested]\nservice=s\n");
        environment.put("PGSERVICEFILE", own.toString());
        assertThat(complete("service=s").place().host()).isEqualTo("own");
        assertThatThrownBy(() -> complete("service=none")).hasMessage("definition of service \"none\" not found");
        assertThatThrownBy(() -> complete("service=bad"))
                .hasMessageContaining("syntax error in service file")
                .hasMessageContaining("line 4");
        assertThatThrownBy(() -> complete("service=nested")).hasMessageContaining("nested");
        environment.put("PGSYSCONFDIR", home.toString());
        Files.writeString(home.resolve("pg_service.conf"), "[system]\nhost=sys\n");
        assertThat(complete("service=system").place().host()).isEqualTo("sys");
    }

    @Test
    void passwords_from_the_string_then_the_environment_then_the_file() throws IOException {
        passwordFile("rw-------", "localhost:5432:osuser:osuser:file");
        assertThat(password("")).isEqualTo("file");
        environment.put("PGPASSWORD", "env");
        assertThat(password("")).isEqualTo("env");
        assertThat(password("password=given")).isEqualTo("given");
    }

    @Test
    void the_first_line_of_the_password_file_that_fits_counts() throws IOException {
        passwordFile(
                "rw-------",
                "# h:*:*:*:comment",
                "h:1:d:u:exact",
                "h\\:x:*:*:*:escaped\\:colon\\\\",
                "short:line",
                "*:*:d:*:any host:ignored",
                "*:*:*:u:last");
        assertThat(password("host=h port=1 dbname=d user=u")).isEqualTo("exact");
        assertThat(password("host=h:x user=v dbname=e")).isEqualTo("escaped:colon\\");
        assertThat(password("host=z dbname=d user=v")).isEqualTo("any host");
        assertThat(password("host=z dbname=e user=u")).isEqualTo("last");
        assertThat(password("host=z dbname=e user=v")).isNull();
        assertThat(warnings).isEmpty();
    }

    @Test
    void a_password_file_that_others_may_read_is_not_used() throws IOException {
        Path file = passwordFile("rw-r-----", "*:*:*:*:secret");
        assertThat(password("")).isNull();
        assertThat(warnings)
                .containsExactly("password file \"" + file
                        + "\" has group or world access; permissions should be u=rw (0600) or less");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        assertThat(password("")).isEqualTo("secret");
    }

    @Test
    void another_password_file() throws IOException {
        Path file = home.resolve("elsewhere");
        Files.move(passwordFile("rw-------", "*:*:*:*:moved"), file);
        assertThat(password("")).isNull();
        assertThat(password("passfile=" + file)).isEqualTo("moved");
        environment.put("PGPASSFILE", file.toString());
        assertThat(password("")).isEqualTo("moved");
        environment.put("PGPASSFILE", home.toString());
        assertThat(password("")).isNull();
        assertThat(warnings).anySatisfy(line -> assertThat(line).contains("is not a plain file"));
    }

    @Test
    void the_password_given_is_for_the_role_given_and_other_roles_look_in_the_file() throws IOException {
        passwordFile("rw-------", "*:*:*:ddlrep_apply:applied");
        ConnTarget target = complete("user=u password=p");
        assertThat(defaults().password(target, target.place(), "u")).isEqualTo("p");
        assertThat(defaults().password(target, target.place(), "ddlrep_apply")).isEqualTo("applied");
        assertThat(target.toString()).doesNotContain("password");
    }

    @Test
    void the_service_role_has_a_variable_of_its_own() throws IOException {
        passwordFile("rw-------", "*:*:*:ddlrep_service:from the file");
        ConnTarget owner = complete("user=u password=p");
        assertThat(password("user=ddlrep_service")).isEqualTo("from the file");
        assertThat(ServiceCredentials.of(defaults())).isEmpty();
        environment.put("DDLREP_SERVICE_PASSWORD", "from the variable");
        assertThat(password("user=ddlrep_service")).isEqualTo("from the variable");
        assertThat(password("user=ddlrep_service password=given")).isEqualTo("given");
        assertThat(ServiceCredentials.of(defaults())).contains(new Credentials("ddlrep_service", "from the variable"));
        assertThat(defaults().password(owner, owner.place(), "u")).isEqualTo("p");
    }

    @Test
    void what_cannot_be_used_is_refused() {
        assertThatThrownBy(() -> complete("host=/var/run/postgresql")).hasMessageContaining("Unix sockets");
        assertThatThrownBy(() -> complete("host=a,b")).hasMessageContaining("one database on one server");
        assertThatThrownBy(() -> complete("port=x")).hasMessageContaining("invalid integer value \"x\"");
        assertThatThrownBy(() -> complete("port=70000")).hasMessageContaining("invalid port number");
    }
}
