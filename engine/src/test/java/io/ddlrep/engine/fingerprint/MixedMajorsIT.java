package io.ddlrep.engine.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.control.InstalledGroup;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.testkit.PgGroup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes of different majors with the same schema have the same fingerprints. */
class MixedMajorsIT {
    private static final String RELATIONS =
            "SELECT c.oid::regclass::text AS name FROM pg_class c WHERE c.relnamespace = 'app'::regnamespace"
                    + " AND c.relkind IN ('r', 'p', 'v', 'm') ORDER BY 1";

    @Test
    void fourteen_seventeen_and_eighteen_agree_on_a_rich_schema() throws Exception {
        agree(14, 17, 18);
    }

    @Test
    void fifteen_and_sixteen_agree_on_a_rich_schema() throws Exception {
        agree(15, 16);
    }

    @Test
    void seventeen_and_eighteen_agree_on_a_rich_schema_with_the_text_of_its_views() throws Exception {
        agree(17, 18);
    }

    private static void agree(int... majors) throws Exception {
        try (InstalledGroup nodes = InstalledGroup.on(PgGroup.ofMajors("mixed", majors))) {
            nodes.group().executeOnAll(SqlResource.text("fingerprint/rich_schema.sql"));
            Map<String, Map<String, Fingerprint>> byRelation = new LinkedHashMap<>();
            Map<String, Fingerprint> schemas = new LinkedHashMap<>();
            for (int node = 1; node <= majors.length; node++) {
                try (NodeSession session = nodes.session(node)) {
                    List<String> names = session.query(RELATIONS).stream()
                            .map(row -> row.text("name"))
                            .toList();
                    for (Fingerprint fingerprint : Fingerprints.read(session, names)) {
                        byRelation
                                .computeIfAbsent(fingerprint.relation(), name -> new LinkedHashMap<>())
                                .put(session.node(), fingerprint);
                    }
                    schemas.put(session.node(), Fingerprints.readSchema(session, "app"));
                }
            }
            assertThat(byRelation).hasSize(12);
            byRelation.values().forEach(each -> {
                assertThat(each).hasSize(majors.length);
                assertThat(FingerprintDiff.of(each).lines()).isEmpty();
            });
            assertThat(FingerprintDiff.of(schemas).lines()).isEmpty();
        }
    }
}
