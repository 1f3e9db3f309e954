package io.ddlrep.engine.control;

import io.ddlrep.engine.fingerprint.Fingerprint;
import io.ddlrep.engine.fingerprint.FingerprintDiff;
import io.ddlrep.engine.fingerprint.Fingerprints;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tables that a new publication holds. Immutable.
 *
 * @param relids OIDs on the origin
 * @param names qualified names as SQL spells them, in the same order
 */
record TableSelection(List<Long> relids, List<String> names) {
    TableSelection {
        relids = List.copyOf(relids);
        names = List.copyOf(names);
    }

    /**
     * Chooses the tables on the origin.
     *
     * @throws io.ddlrep.engine.node.NodeException 55000 where one of them cannot be replicated, with all reasons; 42P01
     *     where a named table does not exist
     */
    static TableSelection of(NodeSession origin, NewPublication publication) {
        List<Long> relids = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<String> against = new ArrayList<>();
        for (Row row : origin.query(
                SqlResource.text("sql/publishable_tables.sql"),
                publication.scope() == Group.Scope.DATABASE,
                publication.schemas(),
                publication.tables())) {
            relids.add(row.number("relid"));
            names.add(row.text("name"));
            String reason = row.get("against");
            if (reason != null) {
                against.add(row.text("name") + ": " + reason);
            }
        }
        if (!against.isEmpty()) {
            throw Refused.notReady(
                    origin.node(),
                    "some tables cannot be replicated",
                    against,
                    "Leave them out (scope tables), or change them.");
        }
        return new TableSelection(relids, names);
    }

    /**
     * Compares the tables, and the schemas where the scope holds them, between the nodes.
     *
     * @throws io.ddlrep.engine.node.NodeException 55000 with the differences
     */
    void requireEqual(List<GroupMember> members, NewPublication publication) {
        List<Map<String, Fingerprint>> compared = new ArrayList<>();
        names.forEach(name -> compared.add(new LinkedHashMap<>()));
        publication.schemas().forEach(name -> compared.add(new LinkedHashMap<>()));
        for (GroupMember member : members) {
            List<Fingerprint> read = new ArrayList<>(Fingerprints.read(member.session(), names));
            publication.schemas().forEach(schema -> read.add(Fingerprints.readSchema(member.session(), schema)));
            for (int i = 0; i < read.size(); i++) {
                compared.get(i).put(member.name(), read.get(i));
            }
        }
        List<String> differences = compared.stream()
                .flatMap(each -> FingerprintDiff.of(each).lines().stream())
                .toList();
        if (!differences.isEmpty()) {
            throw Refused.notReady(
                    members.get(0).name(),
                    "the nodes do not agree about the tables",
                    differences,
                    "Make the definitions equal first: pg_dump --schema-only of the origin, restored on the replicas.");
        }
    }
}
