package io.ddlrep.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DdlrepUrlTest {
    @ParameterizedTest
    @CsvSource({
        "jdbc:ddlrep://host:5433/db, jdbc:postgresql://host:5433/db",
        "jdbc:ddlrep://host/db, jdbc:postgresql://host/db",
        "jdbc:ddlrep://host/, jdbc:postgresql://host/",
        "jdbc:ddlrep://host:1234/, jdbc:postgresql://host:1234/",
        "jdbc:ddlrep:db, jdbc:postgresql:db",
        "jdbc:ddlrep:/, jdbc:postgresql://",
        "jdbc:ddlrep:, jdbc:postgresql:",
        "jdbc:ddlrep:postgresql://host/db, jdbc:postgresql://host/db",
        "jdbc:ddlrep:postgresql:db, jdbc:postgresql:db",
        "jdbc:ddlrep:postgresql, jdbc:postgresql:postgresql",
        "jdbc:ddlrep://[::1]:5433/db, jdbc:postgresql://[::1]:5433/db",
        "jdbc:ddlrep:///db, jdbc:postgresql://localhost/db",
        "'jdbc:ddlrep://a:1,b:2/db?targetServerType=primary', 'jdbc:postgresql://a:1,b:2/db?targetServerType=primary'",
        "'jdbc:ddlrep://h/db?ssl=true&lockWait=5s&user=u', 'jdbc:postgresql://h/db?ssl=true&user=u'",
        "'jdbc:ddlrep://h/db?lockWait=5s', jdbc:postgresql://h/db",
    })
    void becomes_the_same_url_of_pgjdbc(String url, String expected) {
        assertThat(DdlrepUrl.parse(url).orElseThrow().postgresqlUrl()).isEqualTo(expected);
        assertThat(org.postgresql.Driver.parseURL(expected, new Properties())).isNotNull();
    }

    @Test
    void no_host_means_localhost() {
        String url = DdlrepUrl.parse("jdbc:ddlrep:db").orElseThrow().postgresqlUrl();
        Properties read = org.postgresql.Driver.parseURL(url, new Properties());
        assertThat(read).containsEntry("PGHOST", "localhost").containsEntry("PGPORT", "5432");
    }

    @Test
    void takes_its_own_properties_out_of_the_query() {
        DdlrepUrl url = DdlrepUrl.parse("jdbc:ddlrep://h/db?node.n2=other:5433/db2&lockWait=5%73&requireGroup=true")
                .orElseThrow();
        assertThat(url.own()).isEqualTo(Map.of("node.n2", "other:5433/db2", "lockWait", "5s", "requireGroup", "true"));
    }

    @Test
    void shows_no_password() {
        DdlrepUrl url = DdlrepUrl.parse(
                        "jdbc:ddlrep:postgresql://h/db?user=u&password=p1&servicePassword=p2&sslpassword=p3&lockWait=5s")
                .orElseThrow();
        assertThat(url.shown()).isEqualTo("jdbc:ddlrep://h/db?user=u&lockWait=5s");
        assertThat(url).hasToString(url.shown());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:postgresql://h/db", "jdbc:mysql://h/db", "jdbc:ddlrepx:db", "", "ddlrep://h/db"})
    void leaves_foreign_urls_to_their_drivers(String url) throws Exception {
        DdlrepDriver driver = new DdlrepDriver(new LocalEngine());
        assertThat(driver.acceptsURL(url)).isFalse();
        assertThat(driver.connect(url, new Properties())).isNull();
    }

    @Test
    void no_url_at_all_is_foreign_too() throws Exception {
        DdlrepDriver driver = new DdlrepDriver(new LocalEngine());
        assertThat(driver.acceptsURL(null)).isFalse();
        assertThat(driver.connect(null, null)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lockwait=5s | unknown property lockwait: did you mean lockWait?",
                "lockWait=soon | invalid value \"soon\" for property lockWait",
                "lockWait=-5s | invalid value \"-5s\" for property lockWait",
                "lockSlice=5parsec | invalid value \"5parsec\" for property lockSlice",
                "notices=loud | invalid value \"loud\" for property notices: one of off, summary, steps, auto is wanted",
                "nodeDown=maybe | invalid value \"maybe\" for property nodeDown: one of fail, queue is wanted",
                "requireGroup=yes | invalid value \"yes\" for property requireGroup",
                "node.n2=host | invalid value \"host\" for property node.n2: host:port/database is wanted",
                "node.n2=host:99999/db | invalid value \"host:99999/db\" for property node.n2",
                "servicePassword=p | property servicePassword needs serviceUser",
            })
    void refuses_bad_values_before_it_connects(String argument, String message) {
        DdlrepDriver driver = new DdlrepDriver(new LocalEngine());
        assertThatThrownBy(() -> driver.connect("jdbc:ddlrep://nowhere.invalid/db?" + argument, new Properties()))
                .hasMessageContaining(message)
                .extracting("SQLState")
                .isEqualTo("22023");
    }
}
