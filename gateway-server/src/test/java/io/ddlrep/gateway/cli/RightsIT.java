package io.ddlrep.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line with the role of the service, and what {@code ddlrep doctor} finds and mends. */
class RightsIT {
    private static final String OWNER = "ddlrep_test_cli_owner";

    private final PgGroup group = PgGroup.create("cli_rights", 3);
    private String out = "";
    private String err = "";

    @TempDir
    Path directory = Path.of("");

    @BeforeEach
    void init() throws Exception {
        group.executeOnAll(
                "CREATE ROLE " + OWNER + " LOGIN",
                "CREATE TABLE item (id int PRIMARY KEY, name text)",
                "ALTER TABLE item OWNER TO " + OWNER,
                "CREATE TABLE part (id int, at date) PARTITION BY RANGE (at)",
                "CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM ('2020-01-01') TO ('2030-01-01')",
                "CREATE TABLE keyless (id int)");
        group.node(1).execute("INSERT INTO item SELECT g, 'i' || g FROM generate_series(1, 20) g");
        assertThat(run(
                        "init",
                        "--scope",
                        "database",
                        "--origin",
                        group.node(1).conninfo(),
                        "--replica",
                        group.node(2).conninfo(),
                        "--replica",
                        group.node(3).conninfo()))
                .as(err)
                .isZero();
    }

    @AfterEach
    void drop() throws Exception {
        List<PgNode> servers =
                group.nodes().stream().map(n -> n.withDatabase("postgres")).toList();
        group.close();
        for (PgNode server : servers) {
            server.execute("DROP ROLE " + OWNER);
        }
    }

    private int run(String... arguments) {
        StringWriter result = new StringWriter();
        StringWriter messages = new StringWriter();
        int code = Main.run(new PrintWriter(result, true), new PrintWriter(messages, true), arguments);
        out = result.toString();
        err = messages.toString();
        return code;
    }

    private int as(String user, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--origin");
        all.add(group.node(1).conninfo(user, ""));
        return run(all.toArray(String[]::new));
    }

    private int asSuperuser(String... arguments) {
        return as(group.node(1).superuser(), arguments);
    }

    private int asService(String... arguments) {
        return as("ddlrep_service", arguments);
    }

    @Test
    void everyday_commands_need_no_superuser() throws Exception {
        group.node(1).execute("UPDATE item SET name = 'x' WHERE id < 5");
        assertThat(asService("sync", "--wait")).as(out + err).isZero();
        assertThat(group.node(3).queryText("SELECT count(*) FROM item WHERE name = 'x'"))
                .isEqualTo("4");
        assertThat(asService("status")).as(out + err).isZero();
        assertThat(out).contains("replica n2  active  caught up");
        assertThat(asService("recover")).as(out + err).isZero();
        assertThat(asService("publication", "list")).as(out + err).isZero();
        assertThat(asService("doctor")).as(out + err).isZero();
        assertThat(out).contains("nothing is wrong").contains("passwords of table owners were not compared");
        for (PgNode node : group.nodes()) {
            node.execute("GRANT pg_read_all_data TO ddlrep_service");
        }
        try {
            assertThat(asService("verify")).as(out + err).isZero();
        } finally {
            for (PgNode node : group.nodes()) {
                node.execute("REVOKE pg_read_all_data FROM ddlrep_service");
            }
        }
    }

    @Test
    void what_needs_more_says_so() throws Exception {
        Path script = directory.resolve("change.sql");
        Files.writeString(script, "ALTER TABLE item ADD note text;\n");
        assertThat(asService("script", script.toString())).isEqualTo(1);
        assertThat(err).contains("42501");
        assertThat(asService("verify")).isEqualTo(1);
        assertThat(err).contains("42501").contains("pg_read_all_data");
        assertThat(asService("doctor", "--fix")).as(out + err).isZero();
        group.node(2).execute("REVOKE SELECT ON ddlrep.ddl_step FROM ddlrep_service");
        assertThat(asService("doctor", "--fix")).isEqualTo(1);
        assertThat(err).contains("may not install or remove ddlrep").contains("superuser");
    }

    @Test
    void the_doctor_finds_what_was_changed_and_mends_what_loses_nothing() throws Exception {
        assertThat(asSuperuser("doctor")).as(out + err).isZero();
        assertThat(out).isEqualTo("nothing is wrong\n");
        group.node(1).execute("ALTER ROLE " + OWNER + " PASSWORD 'one'");
        group.node(2)
                .execute(
                        "REVOKE SELECT ON ddlrep.secret FROM ddlrep_service",
                        "REVOKE UPDATE (state) ON ddlrep.publication_node FROM ddlrep_service",
                        "REVOKE EXECUTE ON FUNCTION ddlrep.preparer(text) FROM ddlrep_service",
                        "REVOKE pg_read_all_stats FROM ddlrep_service",
                        "ALTER ROLE ddlrep_apply RESET session_replication_role",
                        "ALTER EVENT TRIGGER ddlrep_guard_end ENABLE",
                        "DROP EVENT TRIGGER ddlrep_guard_drop");
        group.node(3).execute("ALTER ROLE " + OWNER + " PASSWORD 'three'");
        assertThat(asSuperuser("doctor", "--json")).isEqualTo(1);
        assertThat(out)
                .contains("\"well\":false")
                .contains("\"node\":\"n2\",\"what\":\"role ddlrep_service lacks SELECT on ddlrep.secret\"");
        assertThat(asSuperuser("doctor")).isEqualTo(1);
        assertThat(out)
                .contains("wrong: n2: role ddlrep_service lacks SELECT on ddlrep.secret\n")
                .contains("wrong: n2: role ddlrep_service lacks UPDATE on ddlrep.publication_node.state\n")
                .contains(
                        "wrong: n2: function ddlrep.preparer(text) is missing, or role ddlrep_service may not call it\n")
                .contains("wrong: n2: role ddlrep_service lacks the rights of pg_read_all_stats\n")
                .contains("wrong: n2: role ddlrep_apply lacks the setting session_replication_role=replica\n")
                .contains("wrong: n2: the guard is off: event trigger ddlrep_guard_end is not ENABLE ALWAYS\n")
                .contains("wrong: n2: the guard is off: event trigger ddlrep_guard_drop is missing\n")
                .contains("wrong: n2: role " + OWNER + " has another password")
                .contains("wrong: n3: role " + OWNER + " has another password")
                .contains("9 things are wrong\n");
        assertThat(asSuperuser("doctor", "--fix")).as(out + err).isZero();
        assertThat(out).contains("mended: n3: role " + OWNER).contains("nothing is wrong\n");
        String verifier = "SELECT rolpassword FROM pg_authid WHERE rolname = '" + OWNER + "'";
        assertThat(group.node(3).queryText(verifier)).isEqualTo(group.node(1).queryText(verifier));
        assertThat(asSuperuser("doctor")).as(out + err).isZero();
    }

    @Test
    void what_may_have_lost_changes_is_told_and_left_alone() throws Exception {
        group.node(1)
                .execute(
                        "SET ddlrep.replicate = off",
                        "ALTER TABLE item DISABLE TRIGGER ALL",
                        "DROP TRIGGER \"!ddlrep_1i\" ON keyless");
        group.node(2)
                .execute(
                        "SET ddlrep.replicate = off",
                        "DROP TRIGGER \"!ddlrep_deny_t\" ON part_1",
                        "ALTER ROLE ddlrep_apply IN DATABASE " + group.node(2).database()
                                + " SET search_path = public");
        try {
            assertThat(asSuperuser("doctor", "--fix")).isEqualTo(1);
            assertThat(out)
                    .contains("wrong: n1: table public.item: triggers are switched off: !ddlrep_")
                    .contains(
                            "wrong: n1: table public.keyless lacks capture triggers: its changes do not all reach the replicas")
                    .contains("wrong: n2: table public.part_1 lacks deny triggers: anybody may write to it here")
                    .contains(
                            "wrong: n2: role ddlrep_apply has settings of its own in this database: search_path=public")
                    .contains("4 things are wrong\n");
        } finally {
            group.node(2)
                    .execute("ALTER ROLE ddlrep_apply IN DATABASE "
                            + group.node(2).database() + " RESET ALL");
        }
    }
}
