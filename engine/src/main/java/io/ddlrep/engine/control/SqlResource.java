package io.ddlrep.engine.control;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads SQL files that stand beside the engine's classes. Stateless. */
public final class SqlResource {
    private SqlResource() {}

    /**
     * The text of a file.
     *
     * @param path relative to {@code io/ddlrep/engine}, such as {@code sql/health.sql}
     */
    public static String text(String path) {
        try (InputStream in = SqlResource.class.getResourceAsStream("/io/ddlrep/engine/" + path)) {
            if (in == null) {
                throw new IllegalArgumentException("no resource " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
