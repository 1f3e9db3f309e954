package io.ddlrep.gateway.admin;

import java.util.List;

/** What an admin can have the gateway do. Thread-safe; may block. */
public interface AdminCommands {
    /** New operations wait, until {@link #resume}. */
    void pause();

    /** They wait no more. */
    void resume();

    /**
     * Reads the file anew with which the gateway was started.
     *
     * @throws IllegalStateException when there is none, or it has mistakes: nothing has changed then
     */
    void reload();

    /** Ends the gateway as SIGTERM does: each session when it is idle. Does not wait. */
    void drain();

    /**
     * Ends a client's session.
     *
     * @param id as SHOW CLIENTS has it
     * @return false where there is no such session
     */
    boolean kill(long id);

    /**
     * Finishes operations that were interrupted, by the decision row alone.
     *
     * @return what was done and what is left, line by line
     */
    List<String> resolve();
}
