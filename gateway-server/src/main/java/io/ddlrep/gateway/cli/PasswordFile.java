package io.ddlrep.gateway.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** libpq's password file. Immutable. */
final class PasswordFile {
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.GROUP_EXECUTE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.OTHERS_EXECUTE);

    private final Path file;
    private final Consumer<String> warnings;

    PasswordFile(Path file, Consumer<String> warnings) {
        this.file = file;
        this.warnings = warnings;
    }

    /** The password of the first line that fits; empty for none, for no file, and for a file that others may read. */
    Optional<String> find(String host, int port, String database, String user) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            if (!Files.isRegularFile(file)) {
                warnings.accept("password file \"" + file + "\" is not a plain file");
                return Optional.empty();
            }
            if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Set<PosixFilePermission> held = EnumSet.noneOf(PosixFilePermission.class);
                held.addAll(Files.getPosixFilePermissions(file, new LinkOption[0]));
                held.retainAll(OTHERS);
                if (!held.isEmpty()) {
                    warnings.accept("password file \"" + file
                            + "\" has group or world access; permissions should be u=rw (0600) or less");
                    return Optional.empty();
                }
            }
            for (String line : Files.readAllLines(file)) {
                List<String> fields = fields(line);
                if (!line.startsWith("#")
                        && fields.size() >= 5
                        && fits(fields.get(0), host)
                        && fits(fields.get(1), Integer.toString(port))
                        && fits(fields.get(2), database)
                        && fits(fields.get(3), user)) {
                    return Optional.of(fields.get(4));
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            warnings.accept("password file \"" + file + "\" cannot be read: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static boolean fits(String field, String value) {
        return field.equals("*") || field.equals(value);
    }

    /** Fields between colons; a backslash takes the next character as it is. */
    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean taken = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (!taken && c == '\\') {
                taken = true;
                continue;
            }
            if (!taken && c == ':' && fields.size() == 4) {
                break;
            }
            if (!taken && c == ':') {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
            taken = false;
        }
        fields.add(field.toString());
        return fields;
    }
}
