package io.ddlrep.engine.control;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The SQL of the control schema as this code has it: the files that {@code control/migrations.txt} lists. Immutable and
 * thread-safe.
 *
 * @param first run first, at every install and upgrade
 * @param numbered forward migrations, each run once
 * @param repeatable run last, at every install and upgrade
 */
record Migrations(List<String> first, List<Numbered> numbered, List<String> repeatable) {
    Migrations {
        first = List.copyOf(first);
        numbered = List.copyOf(numbered);
        repeatable = List.copyOf(repeatable);
    }

    /**
     * A forward migration.
     *
     * @param version 1, 2, …
     * @param file its name
     * @param sql its text
     */
    record Numbered(int version, String file, String sql) {
        /** SHA-256 of the text, as hex. */
        String checksum() {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(sql.getBytes(StandardCharsets.UTF_8));
                return HexFormat.of().formatHex(digest);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }
    }

    /** Reads the files beside the classes. */
    static Migrations load() {
        List<String> first = new ArrayList<>();
        List<Numbered> numbered = new ArrayList<>();
        List<String> repeatable = new ArrayList<>();
        for (String line : SqlResource.text("control/migrations.txt").split("\n", -1)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String file = line.strip();
            String sql = SqlResource.text("control/" + file).replace("\r\n", "\n");
            if (file.startsWith("R__")) {
                repeatable.add(sql);
            } else if (file.startsWith("V000__")) {
                first.add(sql);
            } else {
                numbered.add(new Numbered(Integer.parseInt(file, 1, 4, 10), file, sql));
            }
        }
        return new Migrations(first, numbered, repeatable);
    }

    /** The version that a node has once all are run. */
    int version() {
        return numbered.get(numbered.size() - 1).version();
    }
}
