package io.ddlrep.engine.substrate;

import java.util.List;

/**
 * Which of a client's uncommitted rows an operation carries: those of its own publications. Rows of others travel by their own
 * stream, which knows nothing of this operation. Immutable.
 *
 * @param op the operation
 * @param publications its publications
 * @param afterSeq changes up to this {@code seq} were carried before; 0 at first
 */
public record OwnRows(String op, List<String> publications, long afterSeq) {
    /** Copies its list. */
    public OwnRows {
        publications = List.copyOf(publications);
    }
}
