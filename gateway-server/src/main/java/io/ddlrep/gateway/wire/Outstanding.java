package io.ddlrep.gateway.wire;

/**
 * Counts what the origin still has to answer, by the types of the messages that pass. Used on one event loop.
 *
 * <p>Messages up to a Sync, a Query or a FunctionCall are answered by one ReadyForQuery. Of those behind the last of these each
 * has one answer that ends it, until one fails: then the server skips to the next Sync.
 */
public final class Outstanding {
    private int turns = 1;
    private int asked;
    private int answered;
    private boolean failed;
    private boolean executed;
    private boolean simple;
    private boolean copying;

    /** For a session that is logging in: the first ReadyForQuery is still to come. */
    public Outstanding() {}

    void sent(byte type) {
        if (copying) {
            // Sync and Flush mean nothing while the server reads copied data.
            copying = type != 'c' && type != 'f';
            return;
        }
        switch (type) {
            case 'P', 'B', 'D', 'C' -> asked++;
            case 'E' -> {
                asked++;
                executed = true;
            }
            case 'Q', 'F' -> turn(true);
            case 'S' -> turn(false);
            default -> {
                // Has no answer.
            }
        }
    }

    private void turn(boolean query) {
        turns++;
        simple = query;
        asked = 0;
        answered = 0;
        failed = false;
        executed = false;
    }

    void received(byte type) {
        switch (type) {
            case 'Z' -> turns = Math.max(0, turns - 1);
            case '1', '2', '3', 'n', 'T', 's', 'I' -> answer();
            case 'C' -> {
                copying = false;
                answer();
            }
            case 'E' -> {
                copying = false;
                failed |= turns == 0;
            }
            case 'G', 'W' -> {
                copying = true;
                if (!simple && turns > 0) {
                    // A Sync that was sent behind the Execute of a COPY is read as data's, and never answered.
                    turns = 0;
                    asked = 1;
                    answered = 0;
                }
            }
            default -> {
                // Ends nothing.
            }
        }
    }

    private void answer() {
        if (turns == 0) {
            answered++;
        }
    }

    /** Whether the origin has answered everything; a message of its own may come at any time. */
    public boolean isQuiet() {
        return turns == 0 && (failed || answered >= asked);
    }

    /** Whether the origin skips messages up to the next Sync. */
    public boolean isSkipping() {
        return failed && turns == 0;
    }

    /** Whether messages behind the last Sync wait for answers, which the origin may keep until it is asked to flush. */
    public boolean isUnflushed() {
        return turns == 0 ? !failed && answered < asked : asked > 0;
    }

    /** Whether an Execute was sent since the last Sync. */
    public boolean hasExecuted() {
        return executed;
    }
}
