package io.ddlrep.engine.control;

/** Makes the rows of a new replica those of the origin, and says on the replica from where on changes are applied. */
@FunctionalInterface
public interface InitialRows {
    /**
     * Called when the tables are captured on the origin and denied on the replica. Where a table has the same rows already
     * nothing is copied; where it is empty on the replica it is filled.
     *
     * @param publication the publication
     * @param replica the replica's name
     * @throws RuntimeException of the engine where a replica has other rows than the origin, or a node fails
     */
    void start(String publication, String replica);
}
