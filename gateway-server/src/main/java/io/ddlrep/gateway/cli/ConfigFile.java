package io.ddlrep.gateway.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Settings in YAML: one mapping of known keys to texts or lists of texts. Every mistake is told with its line, and a key that
 * is not known is one: a setting that is silently not in force is worse than a gateway that does not start. Immutable.
 */
final class ConfigFile {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9}) ?(ms|s|min|h)?");

    private final String name;
    private final Map<String, Entry> entries;

    /** A value, or several. */
    private record Entry(List<String> values, boolean isList, int line) {}

    private ConfigFile(String name, Map<String, Entry> entries) {
        this.name = name;
        this.entries = entries;
    }

    /** One without settings. */
    static ConfigFile none() {
        return new ConfigFile("", Map.of());
    }

    /**
     * Reads a file.
     *
     * @param known the keys that it may have
     * @throws IllegalArgumentException where it cannot be read, or is not what it should be
     */
    static ConfigFile read(Path path, Set<String> known) {
        Node root;
        try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(reader);
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            throw mistake(path.toString(), line, String.valueOf(e.getProblem()));
        } catch (IOException e) {
            throw new IllegalArgumentException(path + " cannot be read: " + e.getMessage(), e);
        }
        Map<String, Entry> entries = new LinkedHashMap<>();
        if (root == null) {
            return new ConfigFile(path.toString(), entries);
        }
        if (!(root instanceof MappingNode mapping)) {
            throw mistake(path.toString(), 1, "expected lines of the form \"key: value\"");
        }
        for (NodeTuple each : mapping.getValue()) {
            int line = each.getKeyNode().getStartMark().getLine() + 1;
            String key = scalar(path, each.getKeyNode());
            if (!known.contains(key)) {
                throw mistake(
                        path.toString(),
                        line,
                        "there is no setting \"" + key + "\"; there are " + String.join(", ", new TreeSet<>(known)));
            }
            if (entries.put(key, entry(path, each.getValueNode())) != null) {
                throw mistake(path.toString(), line, key + " is set twice");
            }
        }
        return new ConfigFile(path.toString(), entries);
    }

    private static Entry entry(Path path, Node value) {
        int line = value.getStartMark().getLine() + 1;
        if (value instanceof SequenceNode list) {
            List<String> values = new ArrayList<>();
            list.getValue().forEach(each -> values.add(scalar(path, each)));
            return new Entry(List.copyOf(values), true, line);
        }
        return new Entry(List.of(scalar(path, value)), false, line);
    }

    private static String scalar(Path path, Node node) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw mistake(path.toString(), node.getStartMark().getLine() + 1, "expected a single value");
    }

    private static IllegalArgumentException mistake(String name, int line, String what) {
        return new IllegalArgumentException(name + (line == 0 ? "" : ", line " + line) + ": " + what);
    }

    private @Nullable Entry single(String key) {
        Entry entry = entries.get(key);
        if (entry != null && entry.isList()) {
            throw mistake(name, entry.line(), key + " is one value, not a list");
        }
        return entry;
    }

    /** A text; empty where it is not set. */
    Optional<String> text(String key) {
        Entry entry = single(key);
        return entry == null ? Optional.empty() : Optional.of(entry.values().get(0));
    }

    /** A list of texts, or one text; empty where it is not set. */
    List<String> texts(String key) {
        Entry entry = entries.get(key);
        return entry == null ? List.of() : entry.values();
    }

    /** Whether something is on; empty where it is not set. */
    Optional<Boolean> flag(String key) {
        Entry entry = single(key);
        if (entry == null) {
            return Optional.empty();
        }
        return switch (entry.values().get(0)) {
            case "true", "on", "yes" -> Optional.of(true);
            case "false", "off", "no" -> Optional.of(false);
            default ->
                throw mistake(
                        name,
                        entry.line(),
                        key + " is on or off, not " + entry.values().get(0));
        };
    }

    /** One of some words; empty where it is not set. */
    Optional<String> word(String key, Set<String> words) {
        Entry entry = single(key);
        if (entry != null && !words.contains(entry.values().get(0))) {
            throw mistake(
                    name,
                    entry.line(),
                    key + " is one of " + String.join(", ", new TreeSet<>(words)) + ", not "
                            + entry.values().get(0));
        }
        return text(key);
    }

    /** A time with a unit as PostgreSQL has them (ms, s, min, h); without one, seconds. Empty where it is not set. */
    Optional<Duration> duration(String key) {
        Entry entry = single(key);
        if (entry == null) {
            return Optional.empty();
        }
        Matcher matcher = DURATION.matcher(entry.values().get(0));
        if (!matcher.matches()) {
            throw mistake(
                    name,
                    entry.line(),
                    key + " is a time such as 30s or 500ms, not "
                            + entry.values().get(0));
        }
        long amount = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2);
        return Optional.of(
                unit == null || unit.equals("s")
                        ? Duration.ofSeconds(amount)
                        : switch (unit) {
                            case "ms" -> Duration.ofMillis(amount);
                            case "min" -> Duration.ofMinutes(amount);
                            default -> Duration.ofHours(amount);
                        });
    }

    /** Reports a value that is wrong in a way which only its reader knows. */
    IllegalArgumentException wrong(String key, String what) {
        Entry entry = entries.get(key);
        return mistake(name, entry == null ? 0 : entry.line(), key + ": " + what);
    }
}
