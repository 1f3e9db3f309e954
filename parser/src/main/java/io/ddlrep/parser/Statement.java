package io.ddlrep.parser;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One statement of a text. The text runs from its first token to its last one: comments and white space around it, and
 * the semicolon behind it, belong to the separators. Immutable.
 */
public sealed interface Statement {
    /** The kind; a switch over it is exhaustive. */
    StatementKind kind();

    /** Where the statement stands in the whole input. */
    SourceSpan span();

    /** The statement's text exactly as it was sent, without the ending semicolon. */
    String text();

    /** The command tag that PostgreSQL would answer with, such as {@code ALTER TABLE}; {@code ?} where unknown. */
    String tag();

    /** How its strings were read: what is done with the text later has to read them the same way. */
    ParserOptions options();

    /**
     * A schema change.
     *
     * @param span where it stands
     * @param text the text
     * @param tag the command tag
     * @param transactability whether it can run in a transaction block
     * @param objects what it names, in the order of the text
     * @param expressions expressions that may give different values on different nodes
     * @param facts more facts that decide, see {@link DdlFact}
     * @param complete true where every relation that the text names is among the objects, and all that the statement
     *     creates, alters, drops or renames; what it reaches beyond hangs on these in the catalogs (partitions, indexes,
     *     with {@link DdlFact#CASCADE} the dependents). False where a part was not understood, or targets are reached
     *     by a property ({@code ALL TABLES IN SCHEMA}, {@code DROP OWNED}), an extension's script or a prepared query:
     *     the careful path. It does not speak of what functions, triggers or rules do when they run
     * @param options how its strings were read
     */
    record Ddl(
            SourceSpan span,
            String text,
            String tag,
            Transactability transactability,
            List<ObjectRef> objects,
            List<Expression> expressions,
            Set<DdlFact> facts,
            boolean complete,
            ParserOptions options)
            implements Statement {
        @Override
        public StatementKind kind() {
            return StatementKind.DDL;
        }
    }

    /**
     * Transaction control.
     *
     * @param span where it stands
     * @param text the text
     * @param tag the command tag; a synonym may have one of its own, such as START TRANSACTION
     * @param verb which command
     * @param savepoint the name of the savepoint (folded), or the gid of a prepared transaction, or null
     * @param chain AND CHAIN was said
     * @param options how its strings were read
     */
    record TransactionControl(
            SourceSpan span,
            String text,
            String tag,
            TransactionVerb verb,
            @Nullable String savepoint,
            boolean chain,
            ParserOptions options)
            implements Statement {
        @Override
        public StatementKind kind() {
            return StatementKind.TRANSACTION_CONTROL;
        }
    }

    /**
     * Everything else.
     *
     * @param span where it stands
     * @param text the text
     * @param tag the command tag
     * @param kind any kind but DDL and TRANSACTION_CONTROL
     * @param transactability whether it can run in a transaction block
     * @param options how its strings were read
     */
    record Other(
            SourceSpan span,
            String text,
            String tag,
            StatementKind kind,
            Transactability transactability,
            ParserOptions options)
            implements Statement {}
}
