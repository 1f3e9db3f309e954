package io.ddlrep.examples.load;

import io.ddlrep.testkit.PgNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** A {@link JvmMain} and the pipes to it. Used by one thread; what it is asked runs meanwhile. */
final class Jvm {
    private final Process process;
    private final Writer requests;
    private final BufferedReader answers;

    /** What came of a request. */
    record Outcome(long millis, String text) {
        String state() {
            return text.split(" ", 2)[0];
        }
    }

    Jvm(PgNode origin, String properties) throws IOException {
        process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        JvmMain.class.getName(),
                        "jdbc:ddlrep://" + origin.host() + ":" + origin.port() + "/" + origin.database() + "?"
                                + properties,
                        origin.superuser(),
                        origin.password())
                .redirectError(Redirect.INHERIT)
                .start();
        requests = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String first = answers.readLine();
        if (!"ready".equals(first)) {
            throw new IllegalStateException("the other JVM said " + first);
        }
    }

    /** Sends a request at once; the answer comes later. */
    CompletableFuture<Outcome> ask(String how, String sql) {
        try {
            requests.write(how + " " + sql + "\n");
            requests.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return CompletableFuture.supplyAsync(() -> {
            try {
                String[] answer = String.valueOf(answers.readLine()).split(" ", 2);
                return new Outcome(Long.parseLong(answer[0]), answer[1]);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Ends it by the end of its input. */
    void close() throws IOException, InterruptedException {
        requests.close();
        if (!process.waitFor(20, java.util.concurrent.TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new IllegalStateException("the other JVM did not end");
        }
    }
}
