package io.ddlrep.examples.matrix;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The page of all forms, as text. Stateless. */
final class MatrixPage {
    private static final String HEAD = """
            # DDL matrix

            What comes of each form of a DDL command, as a test has seen it: `DdlMatrixIT` runs each one through the driver on three nodes
            with a publication of scope `database`, writes rows behind it, and compares the catalogs and the rows of all nodes. Nothing here
            is written by hand: `DdlMatrixTest` fails where this page and what was seen differ. [CONTRIBUTING.md](../CONTRIBUTING.md) says
            how to run it.

            - **outcome**: *replicated*: an operation changed every node, or would have changed none. *rows*: it is not changed as DDL; what it
              did to rows was captured, and travels as rows do. *local*: it stays on the node that was asked, since it concerns that node
              alone. *refused*: nothing was changed on any node; the SQLSTATE and the message are what the client gets. A refusal that
              does not begin with `ddlrep:` is PostgreSQL's own.
            - **where**: *block*: also in a transaction block, with rows and other DDL. *alone*: with autocommit only.
            - **locks**: the strongest one on each relation that was there before, seen before the COMMIT in `pg_locks` of the origin and of the
              replicas; a dash stands for none, and for commands that run alone.
            - **carried**: rows that the command itself changed, or values that only one node may compute, such as those of volatile
              defaults, went to the replicas as rows.
            - **from**: the PostgreSQL major that brought the form, where that is later than 14. Figures are those of 17, of younger
              forms those of the major that brought them.

            """;

    private MatrixPage() {}

    static String of(List<MatrixFile> files) {
        StringBuilder text = new StringBuilder(HEAD);
        Map<String, Integer> counts = new TreeMap<>();
        int all = 0;
        for (MatrixFile file : files) {
            for (Form form : file.forms()) {
                counts.merge(Seen.of(form.seen()).kind(), 1, Integer::sum);
                all++;
            }
        }
        text.append(all).append(" forms: ");
        text.append(String.join(
                ", ",
                counts.entrySet().stream()
                        .map(e -> e.getValue() + " " + e.getKey())
                        .toList()));
        text.append(".\n");
        files.forEach(file -> group(text, file));
        return text.toString();
    }

    private static void group(StringBuilder text, MatrixFile file) {
        text.append("\n## ").append(file.title()).append("\n\n");
        if (!file.setup().isEmpty()) {
            text.append("With `").append(String.join("; ", file.setup())).append("`.\n\n");
        }
        if (!file.tests().isEmpty()) {
            text.append("Closer: `").append(file.tests().replace(", ", "`, `")).append("`.\n\n");
        }
        text.append("| form | outcome | where | locks on the origin | on each replica | carried | from |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        for (Form form : file.forms()) {
            Seen seen = Seen.of(form.seen());
            List<String> cells = List.of(
                    code(form.sql()) + behind(form.setup()),
                    outcome(seen.outcome()),
                    seen.place(),
                    seen.origin(),
                    seen.replicas().equals(seen.origin()) && !seen.origin().equals("-") ? "the same" : seen.replicas(),
                    seen.carried(),
                    form.since() == 0 ? "" : Integer.toString(form.since()));
            text.append("| ").append(String.join(" | ", cells)).append(" |\n");
        }
    }

    private static String behind(List<String> setup) {
        return setup.isEmpty() ? "" : " behind " + code(String.join("; ", setup));
    }

    private static String code(String sql) {
        return "`" + sql.replace("|", "\\|") + "`";
    }

    private static String outcome(String outcome) {
        if (!outcome.startsWith("refused ")) {
            return outcome;
        }
        String[] parts = outcome.split(" ", 3);
        return "refused `" + parts[1] + "`: " + parts[2].replace("|", "\\|");
    }
}
