package io.ddlrep.gateway.cli;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.GroupMember;
import io.ddlrep.engine.fingerprint.Fingerprint;
import io.ddlrep.engine.fingerprint.FingerprintDiff;
import io.ddlrep.engine.fingerprint.Fingerprints;
import io.ddlrep.engine.replication.RowVerifier;
import io.ddlrep.engine.replication.TriggerSubstrate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ddlrep verify}. */
@Command(
        name = "verify",
        description =
                "Compares definitions and rows of everything replicated, on all nodes at one point. Exits with 1 where they"
                        + " differ.")
final class VerifyCommand implements Callable<Integer> {
    @Mixin
    private GroupOptions group = new GroupOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    VerifyCommand() {}

    @Override
    public Integer call() {
        try (GroupConnection connection = group.connect()) {
            List<String> tables = connection
                    .origin()
                    .query(
                            "SELECT pg_catalog.quote_ident(t.schema_name) || '.' || pg_catalog.quote_ident(t.table_name) AS name"
                                    + " FROM ddlrep.replicated_table t ORDER BY 1")
                    .stream()
                    .map(row -> row.text("name"))
                    .toList();
            List<String> schemas = connection.group().publications().stream()
                    .filter(each -> each.scope() == Group.Scope.SCHEMAS)
                    .flatMap(each -> each.schemas().stream())
                    .distinct()
                    .toList();
            List<Map<String, Fingerprint>> compared = new ArrayList<>();
            for (int i = 0; i < tables.size() + schemas.size(); i++) {
                compared.add(new LinkedHashMap<>());
            }
            for (GroupMember member : connection.members()) {
                List<Fingerprint> read = new ArrayList<>(Fingerprints.read(member.session(), tables));
                schemas.forEach(schema -> read.add(Fingerprints.readSchema(member.session(), schema)));
                for (int i = 0; i < read.size(); i++) {
                    compared.get(i).put(member.name(), read.get(i));
                }
            }
            List<String> lines = new ArrayList<>(compared.stream()
                    .flatMap(each -> FingerprintDiff.of(each).lines().stream())
                    .toList());
            if (lines.isEmpty()) {
                // Rows of tables that are defined differently cannot be compared.
                lines.addAll(rows(connection));
            }
            print(tables, schemas, lines);
            return lines.isEmpty() ? 0 : 1;
        }
    }

    private static List<String> rows(GroupConnection connection) {
        List<String> lines = new ArrayList<>();
        try (TriggerSubstrate substrate = connection.substrate()) {
            RowVerifier verifier =
                    new RowVerifier(connection.access(), connection.group().self(), substrate);
            for (Group.Publication publication : connection.group().publications()) {
                for (Group.ReplicaState replica : publication.replicas()) {
                    lines.addAll(verifier.differences(publication.name(), replica.node()));
                }
            }
        }
        return lines;
    }

    private void print(List<String> tables, List<String> schemas, List<String> lines) {
        if (json) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("equal", lines.isEmpty());
            map.put("tables", tables);
            map.put("schemas", schemas);
            map.put("differences", lines);
            group.common().out().println(Json.of(map));
            return;
        }
        lines.forEach(group.common().out()::println);
        group.common()
                .out()
                .println(tables.size() + " tables"
                        + (schemas.isEmpty() ? "" : " and schemas " + String.join(", ", schemas)) + ": "
                        + (lines.isEmpty() ? "equal on all nodes" : lines.size() + " differences"));
    }
}
