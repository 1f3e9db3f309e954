package io.ddlrep.gateway.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** libpq's connection service file. Stateless. */
final class ServiceFile {
    private ServiceFile() {}

    /**
     * The settings of a service.
     *
     * @return empty where the file does not exist or has no such service
     * @throws IllegalArgumentException with libpq's words where the file is malformed
     */
    static Optional<Map<String, String>> read(Path file, String service) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("service file \"" + file + "\" cannot be read: " + e.getMessage(), e);
        }
        Map<String, String> values = new LinkedHashMap<>();
        boolean inside = false;
        boolean found = false;
        int number = 0;
        for (String raw : lines) {
            number++;
            String line = raw.strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith("[")) {
                if (found) {
                    break;
                }
                inside = line.equals("[" + service + "]");
                found = inside;
            } else if (inside) {
                int equals = line.indexOf('=');
                String key = equals < 0 ? line : line.substring(0, equals);
                if (key.equals("service")) {
                    throw new IllegalArgumentException(
                            "nested \"service\" specifications not supported in service file \"" + file + "\", line "
                                    + number);
                }
                if (equals < 0 || !ConnInfo.KEYWORDS.contains(key)) {
                    throw new IllegalArgumentException("syntax error in service file \"" + file + "\", line " + number);
                }
                values.putIfAbsent(key, line.substring(equals + 1));
            }
        }
        return found ? Optional.of(values) : Optional.empty();
    }
}
