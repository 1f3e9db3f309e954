package io.ddlrep.parser;

/** Transaction control commands by what they do; synonyms (END, ABORT, START TRANSACTION) share a constant. */
public enum TransactionVerb {
    /** BEGIN, START TRANSACTION. */
    BEGIN("BEGIN"),
    /** COMMIT, END. */
    COMMIT("COMMIT"),
    /** ROLLBACK, ABORT. */
    ROLLBACK("ROLLBACK"),
    /** SAVEPOINT name. */
    SAVEPOINT("SAVEPOINT"),
    /** RELEASE [SAVEPOINT] name. */
    RELEASE("RELEASE"),
    /** ROLLBACK TO [SAVEPOINT] name. */
    ROLLBACK_TO("ROLLBACK"),
    /** PREPARE TRANSACTION gid. */
    PREPARE_TRANSACTION("PREPARE TRANSACTION"),
    /** COMMIT PREPARED gid. */
    COMMIT_PREPARED("COMMIT PREPARED"),
    /** ROLLBACK PREPARED gid. */
    ROLLBACK_PREPARED("ROLLBACK PREPARED"),
    /** SET TRANSACTION, SET CONSTRAINTS: meaningful only inside a transaction. */
    SET_TRANSACTION("SET");

    private final String tag;

    TransactionVerb(String tag) {
        this.tag = tag;
    }

    /** The command as SQL, without a name; also PostgreSQL's command tag but for some synonyms. */
    public String tag() {
        return tag;
    }
}
