package io.ddlrep.gateway.startup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Which roles the name in a certificate may log in as. Immutable.
 *
 * <p>The rules are those of {@code pg_ident.conf}, without its column for the map's name: a name and a role in each line, in
 * double quotes where they have blanks; a name that begins with a slash is a regular expression (of Java) that must be found in
 * the certificate's name, and {@code \1} in the role is what its first group has matched.
 */
public final class UserMap {
    /** The role must be called as the certificate says. */
    public static final UserMap SAME_NAME = new UserMap(List.of());

    private static final Pattern TOKEN = Pattern.compile("\\G\\s*(?:\"((?:[^\"]|\"\")*)\"|([^\\s\"#]+))");
    private static final Pattern REST = Pattern.compile("\\s*(#.*)?");

    private final List<Line> lines;

    private UserMap(List<Line> lines) {
        this.lines = lines;
    }

    /** One line. */
    private record Line(Pattern name, boolean isWhole, String role) {
        boolean admits(String certificate, String user) {
            Matcher matcher = name.matcher(certificate);
            if (isWhole ? !matcher.matches() : !matcher.find()) {
                return false;
            }
            boolean takesGroup = !isWhole && matcher.groupCount() > 0 && role.contains("\\1");
            String group = takesGroup ? matcher.group(1) : "";
            return group != null && user.equals(takesGroup ? role.replace("\\1", group) : role);
        }
    }

    /**
     * Reads a file.
     *
     * @throws IOException where it cannot be read, or has a mistake, which is told with its line
     */
    public static UserMap read(Path path) throws IOException {
        List<Line> lines = new ArrayList<>();
        int number = 0;
        for (String text : Files.readAllLines(path, StandardCharsets.UTF_8)) {
            number++;
            List<String> tokens = new ArrayList<>();
            Matcher matcher = TOKEN.matcher(text);
            int end = 0;
            while (matcher.find()) {
                tokens.add(
                        matcher.group(1) == null
                                ? matcher.group(2)
                                : matcher.group(1).replace("\"\"", "\""));
                end = matcher.end();
            }
            boolean isRead = REST.matcher(text.substring(end)).matches();
            if (!isRead || (!tokens.isEmpty() && tokens.size() != 2)) {
                throw new IOException(path + ", line " + number + ": expected the name in a certificate and a role");
            }
            if (!tokens.isEmpty()) {
                lines.add(line(path, number, tokens.get(0), tokens.get(1)));
            }
        }
        if (lines.isEmpty()) {
            throw new IOException(path + ": no line says who may log in as whom");
        }
        return new UserMap(List.copyOf(lines));
    }

    private static Line line(Path path, int number, String name, String role) throws IOException {
        if (!name.startsWith("/")) {
            return new Line(Pattern.compile(name, Pattern.LITERAL), true, role);
        }
        try {
            Pattern pattern = Pattern.compile(name.substring(1));
            if (role.contains("\\1") && pattern.matcher("").groupCount() == 0) {
                throw new IOException(path + ", line " + number + ": the role has \\1, but the name has no group");
            }
            return new Line(pattern, false, role);
        } catch (PatternSyntaxException e) {
            throw new IOException(path + ", line " + number + ": " + e.getDescription(), e);
        }
    }

    /** Whether a certificate with this name may log in as this role. */
    boolean admits(String certificate, String user) {
        return lines.isEmpty()
                ? certificate.equals(user)
                : lines.stream().anyMatch(line -> line.admits(certificate, user));
    }
}
