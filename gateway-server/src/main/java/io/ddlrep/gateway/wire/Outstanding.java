package io.ddlrep.gateway.wire;

/**
 * Counts what the origin still has to answer, by the types of the messages that pass. Used on one event loop.
 *
 * <p>Messages up to a Sync, a Query or a FunctionCall are one turn, answered by one ReadyForQuery. In a turn each message has one
 * answer that ends it, until one fails: then the server skips to the end of the turn.
 */
public final class Outstanding {
    /** For a session that is logging in: the first ReadyForQuery is still to come. */
    private long sentTurns = 1;

    private int asked;
    private boolean executed;
    private boolean simple;
    private boolean copying;
    private long doneTurns;
    private int answered;
    private boolean failed;
    private FailureListener listener = (turn, position) -> {};

    /** Is told when a turn fails. */
    @FunctionalInterface
    public interface FailureListener {
        /**
         * A message failed, and those behind it are skipped.
         *
         * @param turn the turn's number
         * @param position how many of the turn's messages were answered before
         */
        void failed(long turn, int position);
    }

    /** For a session that is logging in. */
    public Outstanding() {}

    /** From now on this one is told. */
    public void listen(FailureListener other) {
        listener = other;
    }

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
            case 'Q', 'F' -> endTurn(true);
            case 'S' -> endTurn(false);
            default -> {
                // Has no answer.
            }
        }
    }

    private void endTurn(boolean query) {
        sentTurns++;
        simple = query;
        asked = 0;
        executed = false;
    }

    void received(byte type) {
        switch (type) {
            case 'Z' -> {
                doneTurns = Math.min(sentTurns, doneTurns + 1);
                answered = 0;
                failed = false;
            }
            case '1', '2', '3', 'n', 'T', 's', 'I' -> answered++;
            case 'C' -> {
                copying = false;
                answered++;
            }
            case 'E' -> {
                copying = false;
                if (!failed) {
                    failed = true;
                    listener.failed(doneTurns, answered);
                }
            }
            case 'G', 'W' -> {
                copying = true;
                if (!simple && sentTurns > doneTurns) {
                    // A Sync that was sent behind the Execute of a COPY is read as data's, and never answered.
                    doneTurns = sentTurns;
                    asked = 1;
                    answered = 0;
                }
            }
            default -> {
                // Ends nothing.
            }
        }
    }

    private boolean inOpenTurn() {
        return sentTurns == doneTurns;
    }

    /** Whether the origin has answered everything; a message of its own may come at any time. */
    public boolean isQuiet() {
        return inOpenTurn() && (failed || answered >= asked);
    }

    /** Whether the origin skips messages up to the next Sync. */
    public boolean isSkipping() {
        return inOpenTurn() && failed;
    }

    /** Whether messages behind the last Sync wait for answers, which the origin may keep until it is asked to flush. */
    public boolean isUnflushed() {
        return inOpenTurn() ? !failed && answered < asked : asked > 0;
    }

    /** Whether an Execute was sent since the last Sync. */
    public boolean hasExecuted() {
        return executed;
    }

    /** The number of the turn that the next message belongs to. */
    public long turn() {
        return sentTurns;
    }

    /** How many messages of that turn were sent. */
    public int position() {
        return asked;
    }

    /** Whether a message was answered, or skipped. */
    public boolean isSettled(long turn, int position) {
        return turn < doneTurns || (turn == doneTurns && answered > position);
    }
}
