package io.ddlrep.parser.grammar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** PostgreSQL's own grammar (libpg_query as WebAssembly) in a Node process: a text in, its tree out. One thread at a time. */
final class Grammar implements AutoCloseable {
    /** Reads texts and writes trees, each as one line of JSON. */
    private static final String SCRIPT = """
            const grammar = require(require('path').resolve(process.argv[1]));
            grammar.loadModule().then(() => {
              require('readline').createInterface({input: process.stdin, terminal: false}).on('line', line => {
                let answer;
                try { answer = grammar.parseSync(JSON.parse(line)); } catch (e) { answer = {error: String(e.message)}; }
                process.stdout.write(JSON.stringify(answer) + '\\n');
              });
            });
            """;

    private final ObjectMapper json = new ObjectMapper();
    private final Process process;
    private final BufferedWriter texts;
    private final BufferedReader trees;

    /** Starts the process, which ends when this is closed. */
    Grammar(Path module) throws IOException {
        process = new ProcessBuilder("node", "-e", SCRIPT, module.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        texts = process.outputWriter(StandardCharsets.UTF_8);
        trees = process.inputReader(StandardCharsets.UTF_8);
    }

    /** The answer for a script: an object with {@code stmts}, or with {@code error}. */
    JsonNode parse(String sql) throws IOException {
        texts.write(json.writeValueAsString(sql));
        texts.newLine();
        texts.flush();
        String line = trees.readLine();
        if (line == null) {
            throw new IOException(
                    "the process of " + process.info().commandLine().orElse("node") + " has ended");
        }
        return json.readTree(line);
    }

    /** The tree of an expression; of a missing node where the grammar refuses it. */
    JsonNode expression(String sql) throws IOException {
        return value("SELECT (" + sql + ")");
    }

    /** The tree of a type. */
    JsonNode type(String sql) throws IOException {
        return value("SELECT NULL::" + sql).path("TypeCast").path("typeName");
    }

    private JsonNode value(String query) throws IOException {
        return parse(query)
                .path("stmts")
                .path(0)
                .path("stmt")
                .path("SelectStmt")
                .path("targetList")
                .path(0)
                .path("ResTarget")
                .path("val");
    }

    @Override
    public void close() throws IOException {
        texts.close();
        process.destroy();
    }
}
