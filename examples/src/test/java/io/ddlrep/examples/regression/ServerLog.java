package io.ddlrep.examples.regression;

import io.ddlrep.testkit.server.PgServerOptions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the server has written into its log about the messages of its sessions: which of them were DDL by its own judgement
 * ({@code log_statement = ddl}), and under which command tag each ended or failed. Used by one thread.
 */
final class ServerLog {
    private static final Pattern LINE = Pattern.compile("(?m)^@(\\d+)@([^@\n]*)@ (LOG|ERROR|FATAL):  (.*)$");

    /** Lines of each session that are of messages, in order. */
    private final Map<Integer, Deque<Line>> lines = new HashMap<>();

    private enum What {
        DDL,
        DONE,
        FAILED
    }

    private record Line(What what, String tag) {}

    /** Reads what was logged. */
    ServerLog(String log) {
        Matcher line = LINE.matcher(log);
        while (line.find()) {
            What what = what(line.group(3), line.group(4));
            if (what != null) {
                lines.computeIfAbsent(Integer.valueOf(line.group(1)), pid -> new ArrayDeque<>())
                        .add(new Line(what, line.group(2)));
            }
        }
    }

    private static @Nullable What what(String level, String message) {
        if (!level.equals("LOG")) {
            return What.FAILED;
        }
        return message.startsWith("statement: ") ? What.DDL : message.startsWith("duration: ") ? What.DONE : null;
    }

    /** A server that logs so. */
    static PgServerOptions options(int major) {
        return PgServerOptions.of(major)
                .withSetting("log_line_prefix", "@%p@%i@ ")
                .withSetting("log_statement", "ddl")
                .withSetting("log_duration", "on")
                .withSetting("log_error_verbosity", "terse")
                .withSetting("log_min_error_statement", "panic")
                .withSetting("wal_level", "logical");
    }

    /**
     * Tells each message what was logged of it.
     *
     * @return what does not fit
     */
    List<String> tell(List<Exchange> exchanges) {
        List<String> odd = new ArrayList<>();
        for (Exchange exchange : exchanges) {
            Deque<Line> session = lines.getOrDefault(exchange.backend(), new ArrayDeque<>());
            boolean ddl = !session.isEmpty() && session.getFirst().what() == What.DDL;
            if (ddl) {
                session.removeFirst();
            }
            What wanted = exchange.error().isEmpty() ? What.DONE : What.FAILED;
            Line end = session.pollFirst();
            if (end == null || end.what() != wanted) {
                odd.add("logged as " + end + ", answered <" + exchange.error() + ">: " + exchange.text());
                session.clear();
            } else {
                exchange.logged(ddl, end.tag());
            }
        }
        return odd;
    }
}
