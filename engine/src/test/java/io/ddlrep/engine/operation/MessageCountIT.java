package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.Connector;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How many messages an operation costs, session by session: a change of cost shows up as a change of this file. */
class MessageCountIT {
    @Test
    void adding_a_column_in_autocommit_costs_these_messages() throws Exception {
        try (TestGroup group = TestGroup.create("messages")) {
            MessageCounts counts = new MessageCounts();
            Connector counting = counts.counting(group.connector());
            TriggerEngine engine = group.openEngine(Map.of(), counting);
            try (TestClient client = new TestClient(
                    engine, counts.counting("client", group.session(group.origin())), counting.as(group.superuser()))) {
                // By the same client: shortly behind another's operation names are resolved once more
                // (decided_since.sql).
                client.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
                client.run("ALTER TABLE t ADD COLUMN first integer"); // opens the sessions
                // The least of a few: a session that lay idle for a moment is asked first whether it still answers,
                // and on a busy machine any session may have.
                counts.clear();
                client.run("ALTER TABLE t ADD COLUMN second integer");
                Map<String, Integer> least = counts.take();
                for (String column : List.of("third", "fourth", "fifth")) {
                    client.run("ALTER TABLE t ADD COLUMN " + column + " integer");
                    Map<String, Integer> again = counts.take();
                    assertThat(again).containsOnlyKeys(least.keySet());
                    again.forEach((session, messages) -> least.merge(session, messages, Math::min));
                }
                assertThat(least.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue()))
                        .containsExactly(
                                "client n1: 8",
                                "ddlrep apply n2: 1",
                                "ddlrep apply n3: 1",
                                "ddlrep companion n2: 6",
                                "ddlrep companion n3: 6",
                                "ddlrep service n1: 9",
                                "ddlrep service n2: 1",
                                "ddlrep service n3: 1");
            }
        }
    }
}
