package io.ddlrep.gateway.wire;

/**
 * Counts what the origin still has to answer, by the types of the messages that pass. Used on one event loop.
 *
 * <p>Messages up to a Sync, a Query or a FunctionCall are one turn, answered by one ReadyForQuery. In a turn each message has one
 * answer that ends it, until one fails: then the server skips to the end of the turn. Behind a failed message of the extended
 * protocol it skips everything up to a Sync, also Queries: turns that were sent by then become one.
 */
public final class Outstanding {
    private static final int FIRST_SIZE = 16;
    private static final int BY_SYNC = 1;

    /** For a session that is logging in: the first ReadyForQuery is still to come. */
    private long sentTurns = 1;

    /** Turns that were sent and are not answered, the oldest first: twice their messages, and one more where a Sync ends them. */
    private int[] turns = new int[FIRST_SIZE];

    private int first;
    private int count = 1;

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

    /**
     * A message was sent.
     *
     * @param size bytes in its body
     */
    void sent(byte type, int size) {
        if (copying) {
            // Sync and Flush mean nothing while the server reads copied data.
            copying = type != 'c' && type != 'f';
            return;
        }
        if (isSkipping() && type != 'S') {
            return;
        }
        switch (type) {
            case 'P', 'B', 'D', 'C' -> asked++;
            case 'E' -> {
                asked++;
                executed = true;
            }
            case 'H' -> {
                if (size > 0) {
                    // No answer ends it but the error that the server makes of it, behind which it skips.
                    asked++;
                }
            }
            case 'Q', 'F' -> endTurn(true);
            case 'S' -> endTurn(false);
            default -> {
                // Has no answer.
            }
        }
    }

    private void endTurn(boolean query) {
        push(2 * asked + (query ? 0 : BY_SYNC));
        sentTurns++;
        simple = query;
        asked = 0;
        executed = false;
    }

    private void push(int turn) {
        if (count == turns.length) {
            int[] larger = new int[2 * count];
            for (int i = 0; i < count; i++) {
                larger[i] = turns[(first + i) % count];
            }
            turns = larger;
            first = 0;
        }
        turns[(first + count) % turns.length] = turn;
        count++;
    }

    private void pop() {
        first = (first + 1) % turns.length;
        count--;
        doneTurns++;
    }

    private void fail() {
        failed = true;
        listener.failed(doneTurns, answered);
        boolean extended = count == 0 || answered < turns[first] / 2;
        while (extended && count > 0 && turns[first] % 2 != BY_SYNC) {
            pop();
            listener.failed(doneTurns, 0);
        }
    }

    void received(byte type) {
        switch (type) {
            case 'Z' -> {
                if (count > 0) {
                    pop();
                }
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
                    fail();
                }
            }
            case 'G', 'W' -> {
                copying = true;
                if (!simple && sentTurns > doneTurns) {
                    // A Sync that was sent behind the Execute of a COPY is read as data's, and never answered.
                    doneTurns = sentTurns;
                    count = 0;
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
        return count == 0;
    }

    /** Whether the origin has answered everything; a message of its own may come at any time. */
    public boolean isQuiet() {
        return inOpenTurn() && (failed || answered >= asked);
    }

    /** Whether the origin reads copied data, and takes any other message for a mistake in it. */
    public boolean isCopying() {
        return copying;
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
