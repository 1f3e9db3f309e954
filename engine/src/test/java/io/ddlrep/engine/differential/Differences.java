package io.ddlrep.engine.differential;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectRef;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Compares what the parser says of a DDL statement with what the server has done. Stateless. */
final class Differences {
    private Differences() {}

    /** One line for each difference. */
    static List<String> of(Statement.Ddl ddl, Seen seen) {
        List<String> lines = new ArrayList<>();
        seen.tag().filter(tag -> !tag.equals(ddl.tag())).ifPresent(tag -> lines.add("tag is " + tag));
        if (ddl.complete()) {
            Set<String> ours = new HashSet<>(seen.addresses().values());
            seen.events().stream()
                    .filter(event -> event.original() && event.commandTag().equals(ddl.tag()))
                    .filter(event -> !ours.contains(event.address()) && (event.drop() || !ours.contains(event.whole())))
                    .filter(event -> !implied(event, ddl))
                    .forEach(event ->
                            lines.add("not named: " + (event.drop() ? "dropped " : "changed ") + event.identity()));
            if (!ddl.facts().contains(DdlFact.CASCADE)) {
                seen.strangers().forEach(relation -> lines.add("not named: locked " + relation));
            }
            if (!ddl.facts().contains(DdlFact.CONDITIONAL)) {
                seen.types().forEach(type -> lines.add("not named: type " + type));
            }
        }
        for (ObjectRef ref : ddl.objects()) {
            if (!ddl.facts().contains(DdlFact.CONDITIONAL) && Address.of(ref).isPresent()) {
                unfounded(ref, seen).ifPresent(lines::add);
            }
        }
        return lines;
    }

    /**
     * What the server lists by itself: indexes of a table that is reindexed or indexed without a name, the membership of a
     * table in a publication (both are named), attributes of a type that is named, a column's default.
     */
    private static boolean implied(Seen.Event event, Statement.Ddl ddl) {
        if (event.drop()) {
            return event.identity().startsWith("default value")
                    || event.identity().startsWith("composite type column")
                    || event.address().startsWith("pg_publication_");
        }
        boolean unnamed = ddl.objects().stream().noneMatch(ref -> ref.kind() == ObjectKind.STATISTICS);
        return event.hangs()
                || event.address().startsWith("pg_publication_")
                || (unnamed && event.address().startsWith("pg_statistic_ext:"));
    }

    /** An object that we say is made, dropped or changed, and that the server knows nothing of. */
    private static Optional<String> unfounded(ObjectRef ref, Seen seen) {
        String address = seen.addresses().get(ref);
        boolean perhaps = ref.role() == ObjectRole.REFERENCED && ref.kind() == ObjectKind.TABLE;
        if (address == null) {
            return perhaps ? Optional.empty() : Optional.of("names nothing: " + ref);
        }
        if (ref.role() != ObjectRole.DROPPED || seen.events().isEmpty()) {
            return Optional.empty();
        }
        boolean dropped = seen.events().stream()
                .anyMatch(event -> event.drop() && event.address().equals(address));
        return dropped ? Optional.empty() : Optional.of("not dropped: " + ref);
    }
}
