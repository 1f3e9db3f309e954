package io.ddlrep.engine.fingerprint;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads fingerprints by the functions of the control schema. Stateless; the caller's session is used, in whatever
 * transaction it is in, so a session sees its own uncommitted DDL. Any role may ask. Throws
 * {@link io.ddlrep.engine.node.NodeException}: 42883 where there is no control schema.
 */
public final class Fingerprints {
    private Fingerprints() {}

    /**
     * Fingerprints of relations, in the order asked for.
     *
     * @param names qualified names as SQL spells them, such as {@code public.t1}
     */
    public static List<Fingerprint> read(NodeSession session, Collection<String> names) {
        Map<String, List<String>> facts = new LinkedHashMap<>();
        names.forEach(name -> facts.put(name, new ArrayList<>()));
        for (Row row : session.query("""
                WITH named AS (
                    SELECT n.name, c.oid FROM pg_catalog.unnest($1::pg_catalog.text[]) n(name)
                    CROSS JOIN LATERAL pg_catalog.parse_ident(n.name) p
                    JOIN pg_catalog.pg_namespace s ON s.nspname OPERATOR(pg_catalog.=) p[1]
                    JOIN pg_catalog.pg_class c ON c.relnamespace OPERATOR(pg_catalog.=) s.oid
                        AND c.relname OPERATOR(pg_catalog.=) p[2])
                SELECT n.name, f.fact FROM ddlrep.fingerprint_facts(ARRAY(SELECT oid FROM named)) f
                    JOIN named n ON n.oid OPERATOR(pg_catalog.=) f.relid
                ORDER BY n.name, f.fact COLLATE pg_catalog."C\"""", List.copyOf(names))) {
            List<String> found = facts.get(row.text("name"));
            if (found != null) {
                found.add(row.text("fact"));
            }
        }
        List<Fingerprint> result = new ArrayList<>();
        facts.forEach((name, found) -> result.add(Fingerprint.of(name, found)));
        return result;
    }

    /** Fingerprint of one relation. */
    public static Fingerprint read(NodeSession session, String name) {
        return read(session, List.of(name)).get(0);
    }

    /** Fingerprint of a schema and what stands in it besides tables; without facts where there is no such schema. */
    public static Fingerprint readSchema(NodeSession session, String schema) {
        List<String> facts = session.query("SELECT f.fact FROM ddlrep.fingerprint_schema($1) f", schema).stream()
                .map(row -> row.text("fact"))
                .toList();
        return Fingerprint.of(schema, facts);
    }

    /**
     * Only the hashes, by qualified name; one call for many.
     *
     * @param relids OIDs on this node; those that do not exist are left out
     */
    public static Map<String, String> hashes(NodeSession session, Collection<Long> relids) {
        Map<String, String> hashes = new LinkedHashMap<>();
        for (Row row : session.query(
                "SELECT f.name, f.hash FROM ddlrep.fingerprint_hash($1::pg_catalog.text[]::pg_catalog.oid[]) f ORDER BY f.name COLLATE pg_catalog.\"C\"",
                relids.stream().map(String::valueOf).toList())) {
            hashes.put(row.text("name"), row.text("hash"));
        }
        return hashes;
    }
}
