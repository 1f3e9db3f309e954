package io.ddlrep.engine.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.replication.InitialCopy;
import io.ddlrep.engine.replication.NodeAccess;
import io.ddlrep.engine.replication.TriggerSubstrate;
import io.ddlrep.engine.substrate.Substrate;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Init, publications and status on three nodes. */
class GroupInitializerIT {
    private static final String TABLES =
            "CREATE SCHEMA shop; CREATE TABLE shop.item (id serial PRIMARY KEY, name text NOT NULL, price numeric(10,2));"
                    + "CREATE TABLE shop.sale (at timestamptz NOT NULL, item int REFERENCES shop.item) PARTITION BY RANGE (at);"
                    + "CREATE TABLE shop.sale_1 PARTITION OF shop.sale DEFAULT; CREATE TABLE other (id int PRIMARY KEY)";
    private static final String TRACES =
            "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'ddlrep%' UNION ALL SELECT evtname FROM pg_event_trigger"
                    + " UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal";

    private final PgGroup group = PgGroup.create("init", 3);
    private final List<GroupMember> members = new ArrayList<>();

    @BeforeEach
    void open() throws Exception {
        group.executeOnAll(TABLES);
        for (PgNode node : group.nodes()) {
            members.add(new GroupMember(InstalledGroup.address(node), InstalledGroup.open(node)));
        }
    }

    @AfterEach
    void close() {
        members.forEach(member -> member.session().close());
        group.close();
    }

    private NodeAccess access() {
        Map<String, NodeAddress> addresses = new HashMap<>();
        members.forEach(member -> addresses.put(member.name(), member.address()));
        PgNode first = group.node(1);
        return new NodeAccess(
                new JdbcConnector(Map.of()),
                addresses,
                new Credentials(first.superuser(), first.password()),
                new Credentials("ddlrep_apply", null));
    }

    private Substrate substrate() {
        return new TriggerSubstrate(access(), "n1");
    }

    private InitialRows rows() {
        return (publication, replica) -> new InitialCopy(access(), "n1").run(publication, replica);
    }

    private GroupInitializer initializer() {
        return new GroupInitializer(new ControlInstaller(), this::substrate, rows());
    }

    private GroupInitializer.Made init(NewPublication publication) {
        return initializer().init(members, publication, Optional.empty());
    }

    private static NewPublication tables(String... names) {
        return new NewPublication("default", Group.Scope.TABLES, List.of(), List.of(names));
    }

    private void synchronize() {
        try (Substrate substrate = substrate()) {
            for (String replica : List.of("n2", "n3")) {
                substrate.synchronize("default", replica, substrate.mark());
            }
        }
    }

    @Test
    void a_group_is_made_empty_replicas_are_filled_and_changes_follow() throws Exception {
        group.node(1).execute("INSERT INTO shop.item (name, price) SELECT 'i' || g, g FROM generate_series(1, 100) g");
        group.node(1).execute("INSERT INTO shop.sale SELECT now(), g FROM generate_series(1, 50) g");
        GroupInitializer.Made made =
                init(new NewPublication("default", Group.Scope.SCHEMAS, List.of("shop"), List.of()));
        assertThat(made.tables()).containsExactly("shop.item", "shop.sale", "shop.sale_1");
        assertThat(made.notices()).isEmpty();
        group.node(1)
                .execute("INSERT INTO shop.item (name) VALUES ('new')", "UPDATE shop.item SET price = 7 WHERE id = 5");
        synchronize();
        for (int node = 2; node <= 3; node++) {
            assertThat(group.node(node).queryText("SELECT count(*) || ' ' || sum(price) FROM shop.item"))
                    .isEqualTo(group.node(1).queryText("SELECT count(*) || ' ' || sum(price) FROM shop.item"));
            assertThat(group.node(node).queryText("SELECT count(*) FROM shop.sale"))
                    .isEqualTo("50");
            assertThat(group.node(node).queryText("SELECT last_value FROM shop.item_id_seq"))
                    .isEqualTo("100");
            PgNode replica = group.node(node);
            assertThatThrownBy(() -> replica.execute("DELETE FROM shop.item")).hasMessageContaining("refused");
            assertThatThrownBy(() -> replica.execute("ALTER TABLE shop.item ADD x int"))
                    .hasMessageContaining("did not come through");
        }
    }

    @Test
    void rows_that_are_equal_already_are_taken_as_they_are() throws Exception {
        group.executeOnAll("INSERT INTO shop.item (name, price) SELECT 'i' || g, g FROM generate_series(1, 10) g");
        init(tables("shop.item"));
        group.node(1).execute("DELETE FROM shop.item WHERE id < 4");
        synchronize();
        assertThat(group.node(3).queryText("SELECT count(*) FROM shop.item")).isEqualTo("7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3 | ALTER TABLE shop.item ALTER COLUMN price TYPE numeric(12,2) | do not agree | n3: column price of shop.item: type numeric(12,2), elsewhere numeric(10,2)",
                "2 | DROP TABLE shop.item CASCADE | do not agree | n2: shop.item does not exist",
                "1 | ALTER TABLE shop.item SET UNLOGGED | cannot be replicated | shop.item: it is UNLOGGED: a crash would empty it unseen"
            })
    void what_does_not_fit_is_refused_and_nothing_is_left(int node, String sql, String message, String detail)
            throws Exception {
        group.executeOnAll("DROP TABLE shop.sale");
        group.node(node).execute(sql);
        assertThatThrownBy(() -> init(tables("shop.item"))).isInstanceOfSatisfying(NodeException.class, e -> {
            assertThat(e.sqlState()).isEqualTo("55000");
            assertThat(e.error().message()).contains(message);
            assertThat(e.error().detail()).contains(detail);
            assertThat(e.getSuppressed()).isEmpty();
        });
        for (PgNode each : group.nodes()) {
            assertThat(each.queryRows(TRACES)).isEmpty();
        }
    }

    @Test
    void other_rows_on_a_replica_are_refused_and_nothing_is_left() throws Exception {
        group.node(2).execute("INSERT INTO shop.item (name) VALUES ('stray')");
        assertThatThrownBy(() -> init(tables("shop.item")))
                .isInstanceOfSatisfying(
                        DdlrepException.class,
                        e -> assertThat(e.error().sqlState() + e.error())
                                .startsWith("55000")
                                .contains("item"));
        for (PgNode each : group.nodes()) {
            assertThat(each.queryRows(TRACES)).isEmpty();
        }
    }

    @Test
    void a_node_that_is_in_a_group_already_and_a_database_given_twice_are_refused() throws Exception {
        init(tables("other"));
        assertThatThrownBy(() -> init(tables("other"))).hasMessageContaining("has a control schema already");
        initializer().uninstall(members);
        assertThat(group.node(1).queryRows(TRACES)).isEmpty();
        members.set(2, new GroupMember(new NodeAddress("n9", "h", 1, "d"), InstalledGroup.open(group.node(1))));
        assertThatThrownBy(() -> init(tables("other"))).hasMessageContaining("n1 and n9 are the same database");
    }

    @Test
    void partitions_come_with_their_parent_but_not_without_it() {
        assertThatThrownBy(() -> init(tables("shop.sale_1")))
                .isInstanceOfSatisfying(
                        NodeException.class,
                        e -> assertThat(e.error().detail())
                                .isEqualTo("shop.sale_1: its parent would not be replicated"));
        assertThat(init(tables("shop.sale")).tables()).containsExactly("shop.sale", "shop.sale_1");
    }

    @Test
    void publications_are_made_and_dropped_in_a_group_and_leave_only_the_tables() throws Exception {
        init(tables("other"));
        group.node(1).execute("INSERT INTO shop.item (name) VALUES ('a')");
        try (Substrate substrate = substrate()) {
            PublicationMaker maker = new PublicationMaker(members, substrate, rows());
            NewPublication second = new NewPublication("second", Group.Scope.TABLES, List.of(), List.of("shop.item"));
            assertThat(maker.create(second)).containsExactly("shop.item");
            assertThatThrownBy(() -> maker.create(second)).hasMessageContaining("42710");
            assertThatThrownBy(() -> maker.create(
                            new NewPublication("third", Group.Scope.TABLES, List.of(), List.of("shop.item"))))
                    .isInstanceOfSatisfying(
                            NodeException.class,
                            e -> assertThat(e.error().detail()).isEqualTo("shop.item: it is in a publication already"));
            GroupStatus status = new GroupStatusReader(
                            address -> InstalledGroup.open(
                                    group.node(address.name().charAt(1) - '0')),
                            substrate)
                    .read(members.get(0).session(), 10);
            assertThat(status.publications()).hasSize(2);
            assertThat(status.publications().get(1).tables()).isEqualTo(1);
            assertThat(status.publications().get(1).replicas())
                    .allSatisfy(replica -> assertThat(replica.behind()).contains(false));
            assertThat(status.nodes())
                    .hasSize(3)
                    .allSatisfy(node -> assertThat(node.problem()).isEmpty());
            assertThat(maker.drop("second")).isEqualTo(1);
            assertThatThrownBy(() -> maker.drop("second")).hasMessageContaining("42704");
        }
        for (PgNode node : group.nodes()) {
            assertThat(node.queryRows(
                            "SELECT tgname FROM pg_trigger WHERE tgrelid = 'shop.item'::regclass AND NOT tgisinternal"))
                    .isEmpty();
            assertThat(node.queryRows("SELECT proname FROM pg_proc WHERE pronamespace = 'ddlrep_apply'::regnamespace"
                            + " AND proname LIKE '%\\_4' OR proname LIKE 'cap\\_4%'"))
                    .isEmpty();
            node.execute("ALTER TABLE shop.item ADD x int");
        }
        try (NodeSession session = InstalledGroup.open(group.node(1))) {
            assertThat(GroupReader.read(session).orElseThrow().publications()).hasSize(1);
        }
    }
}
