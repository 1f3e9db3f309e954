package io.ddlrep.engine.capture;

import io.ddlrep.engine.node.Quote;
import io.ddlrep.engine.substrate.CaptureForm;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Everything about a table that capture and apply depend on, as the catalogs of one node say. Immutable.
 *
 * @param relid its oid on that node
 * @param schema schema name
 * @param name table name
 * @param owner its owner
 * @param facts what kind of table it is
 * @param columns its columns in attnum order
 */
public record TableShape(long relid, String schema, String name, String owner, Facts facts, List<Column> columns) {
    /**
     * The most columns that a shadow table has for those of a table. PostgreSQL allows 1,600 for all, and a shadow table has some
     * of its own.
     */
    static final int WIDEST = 1_590;

    /** Stands in the row shape of a partitioned table. */
    static final String PARTS = " parts\n";

    /**
     * What kind of table it is. Immutable.
     *
     * @param kind relkind
     * @param persistence relpersistence
     * @param partition whether it is a partition
     * @param root oid of the topmost partitioned table, or 0
     * @param rlsBindsOwner FORCE ROW LEVEL SECURITY, and the owner may not bypass it
     * @param inherits whether it has inheritance parents or children
     * @param rowTriggers whether it (or one of its partitions) has enabled row triggers of users
     * @param updatedByActions whether a foreign key of it, or of a table below it, has an action that updates its rows
     * @param keyDeferrable whether the key is checked only at the end of a statement or transaction
     * @param partitions oids of all its partitions, at any depth
     * @param ownTriggers names of ddlrep's triggers that are on it now
     * @param switchedOff names of those (also of those that a partition has from its parent) that do not fire as they should
     * @param nameTaken whether a trigger of somebody else has a name that is kept for ddlrep's
     * @param rulesApply whether it, or a partition, has a rule that also works where rows are applied (REPLICA or ALWAYS)
     */
    public record Facts(
            char kind,
            char persistence,
            boolean partition,
            long root,
            boolean rlsBindsOwner,
            boolean inherits,
            boolean rowTriggers,
            boolean updatedByActions,
            boolean keyDeferrable,
            List<Long> partitions,
            List<String> ownTriggers,
            List<String> switchedOff,
            boolean nameTaken,
            boolean rulesApply) {}

    /** Makes a shape: of a table with more columns than a shadow table may have, all values of a row travel in one array. */
    public TableShape {
        columns = packed(columns);
    }

    private static List<Column> packed(List<Column> columns) {
        if (columns.stream().filter(TableShape::isCaptured).count() <= WIDEST) {
            return List.copyOf(columns);
        }
        List<Column> packed = new ArrayList<>();
        int place = 0;
        for (Column column : columns) {
            packed.add(isCaptured(column) ? column.at(++place) : column);
        }
        return List.copyOf(packed);
    }

    /** Whether all values of a row travel in one array. */
    boolean packed() {
        return columns.stream().anyMatch(c -> c.place() > 0);
    }

    /** The qualified, quoted name. */
    public String quoted() {
        return Quote.name(schema, name);
    }

    /** Whether it is a partitioned table. */
    public boolean partitioned() {
        return facts.kind() == 'p';
    }

    /** The name with {@code ONLY} where children must be left alone. */
    public String only() {
        return partitioned() ? quoted() : "ONLY " + quoted();
    }

    /** The key's columns in index order; also those of a deferrable key. */
    public List<Column> key() {
        return columns.stream()
                .filter(Column::inKey)
                .sorted(Comparator.comparingInt(Column::keyPosition))
                .toList();
    }

    /**
     * Whether changes are whole old and new rows: there is no key, or it may be violated for a while (then the order of
     * single changes says nothing, as in a swap of two keys).
     */
    public boolean wholeRow() {
        return facts.keyDeferrable() || key().isEmpty();
    }

    /** Columns that are captured: all that the server does not compute, and the key. */
    public List<Column> captured() {
        return columns.stream().filter(TableShape::isCaptured).toList();
    }

    private static boolean isCaptured(Column column) {
        return !column.generated() || column.inKey();
    }

    /** Columns that apply writes. */
    public List<Column> written() {
        return columns.stream().filter(c -> !c.generated()).toList();
    }

    /** How its changes are captured. */
    public CaptureForm form() {
        if (facts.partition()) {
            return CaptureForm.NONE;
        }
        boolean rows = partitioned() || facts.inherits() || facts.rowTriggers() || facts.updatedByActions();
        return rows ? CaptureForm.ROW : CaptureForm.STATEMENT;
    }

    /** Whether captured rows may be older than the row is by then, so that capture must look again. */
    public boolean mayBeStale() {
        return !wholeRow() && (facts.rowTriggers() || facts.updatedByActions());
    }

    /** The canonical text of what travels: when it changes, a new generation starts. */
    public String rowShape() {
        StringBuilder text = new StringBuilder(wholeRow() ? "whole row" : "key");
        text.append(packed() ? " in an array" : "");
        text.append(partitioned() ? PARTS : "\n");
        columns.forEach(c -> text.append(c.canonical()).append('\n'));
        return text.toString();
    }

    /** A digest of how values of the key are compared, which functions hold: nothing of it travels. */
    public String keyComparison() {
        StringBuilder text = new StringBuilder();
        key().forEach(c -> text.append(c.quoted())
                .append(c.collation())
                .append(c.keyOperator())
                .append('\n'));
        return UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /** Why it cannot be replicated, or empty. */
    public Optional<String> refusal() {
        if (facts.kind() != 'r' && facts.kind() != 'p') {
            return Optional.of(
                    facts.kind() == 'f'
                            ? "it is a foreign table: its rows are not in this database"
                            : "it is not a table");
        }
        if (facts.persistence() == 'u') {
            return Optional.of("it is unlogged: a crash would empty it unseen");
        }
        if (facts.persistence() == 't') {
            return Optional.of("it is temporary");
        }
        if (facts.rlsBindsOwner()) {
            return Optional.of("FORCE ROW LEVEL SECURITY binds its owner " + owner
                    + ", as whom rows are applied; NO FORCE or an owner with BYPASSRLS is needed");
        }
        if (facts.nameTaken()) {
            return Optional.of("it has a trigger of its own whose name begins with !ddlrep_");
        }
        if (facts.rulesApply()) {
            return Optional.of(
                    "it has a rule that is enabled REPLICA or ALWAYS, and would rewrite rows as they are applied");
        }
        return Optional.empty();
    }
}
