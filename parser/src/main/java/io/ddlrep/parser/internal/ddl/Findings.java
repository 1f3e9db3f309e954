package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.Expression;
import io.ddlrep.parser.ExpressionInspector;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRef;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.SourceSpan;
import io.ddlrep.parser.SqlCommand;
import io.ddlrep.parser.internal.Cursor;
import io.ddlrep.parser.internal.TokenList;
import io.ddlrep.parser.internal.Utf8;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the readers have found in one statement so far. One thread at a time, for one statement. */
public final class Findings {
    private final TokenList tokens;
    private final Set<ObjectRef> objects = new LinkedHashSet<>();
    private final List<Expression> expressions = new ArrayList<>();
    private final EnumSet<DdlFact> facts = EnumSet.noneOf(DdlFact.class);
    private SqlCommand command;
    private boolean complete = true;
    private boolean ofRoles;
    private int counted;
    private int countedBytes;

    /** Nothing found yet in a statement of these tokens. */
    public Findings(TokenList tokens, SqlCommand command) {
        this.tokens = tokens;
        this.command = command;
        this.counted = tokens.start(0);
    }

    /** The command, which may be another than the first words said: CREATE TABLE … AS. */
    public SqlCommand command() {
        return command;
    }

    /** The command tag; grants of roles have their own, GRANT ROLE and REVOKE ROLE. */
    public String tag() {
        return ofRoles ? command.tag() + " ROLE" : command.tag();
    }

    /** The objects in the order of the text, each once. */
    public List<ObjectRef> objects() {
        return List.copyOf(objects);
    }

    /** The expressions in the order of the text. */
    public List<Expression> expressions() {
        return List.copyOf(expressions);
    }

    /** The facts. */
    public Set<DdlFact> facts() {
        return Set.copyOf(facts);
    }

    /** Whether nothing was missed. */
    public boolean complete() {
        return complete;
    }

    void command(SqlCommand found) {
        command = found;
    }

    void fact(DdlFact fact) {
        facts.add(fact);
    }

    /** A grant or revoke is of roles, not of privileges. */
    void ofRoles() {
        ofRoles = true;
    }

    /** Something was not understood, or is reached by another way than its name. */
    void missed() {
        complete = false;
    }

    void missedUnless(boolean understood) {
        complete &= understood;
    }

    void add(@Nullable ObjectRef ref) {
        if (ref == null) {
            missed();
            return;
        }
        if (ref.role() == ObjectRole.CREATED && "pg_temp".equals(ref.name().schema())) {
            facts.add(DdlFact.TEMPORARY);
        }
        objects.add(ref);
    }

    void add(ObjectKind kind, @Nullable ObjectName name, ObjectRole role) {
        add(name == null ? null : ObjectRef.of(kind, name, role));
    }

    /** A part of a relation: a column, constraint, trigger, policy or rule. */
    void addPart(ObjectKind kind, @Nullable String name, ObjectRole role, @Nullable ObjectName owner) {
        add(name == null ? null : new ObjectRef(kind, new ObjectName(null, name), role, owner, null));
    }

    void replaceObjects(List<ObjectRef> all) {
        objects.clear();
        objects.addAll(all);
    }

    /** An expression from one token to the one before another. */
    void expression(Expression.Place place, String column, int from, int to) {
        if (from >= to) {
            missed();
            return;
        }
        int base = tokens.start(0);
        int start = tokens.start(from);
        int end = tokens.end(to - 1);
        int byteStart = bytesUpTo(start);
        int byteEnd = byteStart + Utf8.length(tokens.sql(), start, end);
        String text = tokens.sql().substring(start, end);
        SourceSpan span = new SourceSpan(start - base, end - base, byteStart, byteEnd);
        expressions.add(new Expression(place, column, span, text, ExpressionInspector.inspect(text, tokens.options())));
    }

    /** Expressions mostly come in the order of the text, so count on from the last one. */
    private int bytesUpTo(int offset) {
        if (offset < counted) {
            counted = tokens.start(0);
            countedBytes = 0;
        }
        countedBytes += Utf8.length(tokens.sql(), counted, offset);
        counted = offset;
        return countedBytes;
    }

    /** Reads names separated by commas, all with the same role. */
    void names(Cursor cursor, ObjectKind kind, ObjectRole role) {
        do {
            add(kind, cursor.name(), role);
        } while (cursor.accept(','));
    }
}
