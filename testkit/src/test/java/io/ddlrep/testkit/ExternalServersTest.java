package io.ddlrep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.testkit.server.ContainerRecipe;
import io.ddlrep.testkit.server.PgServerOptions;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class ExternalServersTest {
    @Test
    void servers_that_are_named_are_taken_as_they_are() {
        assertThat(ExternalServers.named("host=a|host=b", 2, 17)).containsExactly("host=a", "host=b");
    }

    @Test
    void containers_without_their_profile_are_an_error_that_says_so() {
        if (ServiceLoader.load(ExternalServers.class).findFirst().isEmpty()) {
            assertThatThrownBy(() -> ExternalServers.named("testcontainers", 3, 17))
                    .isInstanceOf(TestkitException.class)
                    .hasMessageContaining("-Ptestcontainers");
        }
    }

    /** What the tests rely on is asked for, whatever the image's defaults are. */
    @Test
    void a_container_gets_the_options_of_an_embedded_server() {
        ContainerRecipe recipe =
                ContainerRecipe.of(PgServerOptions.of(16).withFsync(true).withSetting("wal_level", "logical"));

        assertThat(recipe.image()).isEqualTo("postgres:16");
        assertThat(recipe.command())
                .startsWith("postgres", "-c", "fsync=on", "-c", "synchronous_commit=on")
                .contains("max_prepared_transactions=50", "max_connections=100", "wal_level=logical");
        PgNode node = Conninfo.toNode("n1", ContainerRecipe.conninfo("127.0.0.1", 49153));
        assertThat(node.host() + ":" + node.port()).isEqualTo("127.0.0.1:49153");
        assertThat(node.superuser() + "/" + node.password()).isEqualTo("postgres/postgres");
    }
}
