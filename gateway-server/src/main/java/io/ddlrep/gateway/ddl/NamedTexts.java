package io.ddlrep.gateway.ddl;

import io.ddlrep.gateway.wire.Outstanding;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which of a session's prepared statements, or of its portals, are DDL or transaction control. Messages that name them are sent
 * long before the server has taken them: what it refuses, or skips, changes nothing. Used on one event loop.
 */
final class NamedTexts {
    private final Outstanding outstanding;
    private final Map<String, ClientText> settled = new HashMap<>();
    private final Deque<Change> changes = new ArrayDeque<>();

    /** A name gets a text, or another meaning, by one message. */
    private record Change(String name, @Nullable ClientText text, long turn, int position) {}

    NamedTexts(Outstanding outstanding) {
        this.outstanding = outstanding;
    }

    boolean isEmpty() {
        return settled.isEmpty() && changes.isEmpty();
    }

    /** What a name means once all that was sent is done; null where that is nothing of ours. */
    @Nullable
    ClientText get(String name) {
        settle();
        for (Iterator<Change> newest = changes.descendingIterator(); newest.hasNext(); ) {
            Change change = newest.next();
            if (change.name().equals(name)) {
                return change.text();
            }
        }
        return settled.get(name);
    }

    /** The message that is sent next gives the name this text. */
    void put(String name, @Nullable ClientText text) {
        // What the server skips changes nothing.
        if (!outstanding.isSkipping() && (text != null || !isEmpty())) {
            settle();
            changes.add(new Change(name, text, outstanding.turn(), outstanding.position()));
        }
    }

    private void settle() {
        for (Change oldest = changes.peek();
                oldest != null && outstanding.isSettled(oldest.turn(), oldest.position());
                oldest = changes.peek()) {
            changes.remove();
            if (oldest.text() == null) {
                settled.remove(oldest.name());
            } else {
                settled.put(oldest.name(), oldest.text());
            }
        }
    }

    /** A message of a turn was refused, with all behind it. */
    void failed(long turn, int position) {
        settle();
        changes.removeIf(change -> change.turn() == turn && change.position() >= position);
    }
}
