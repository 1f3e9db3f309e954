package io.ddlrep.engine.differential;

import io.ddlrep.parser.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the server has done for one statement.
 *
 * @param tag the tag that event triggers were given; empty where none fired
 * @param events what event triggers were told
 * @param addresses where the objects are that the parser has named; without those that are not found
 * @param strangers relations that the statement has locked and that do not hang on any that the parser has named
 * @param types types of users that the made objects are made of, and that the parser has not named
 */
record Seen(
        Optional<String> tag,
        List<Event> events,
        Map<ObjectRef, String> addresses,
        Set<String> strangers,
        Set<String> types) {

    /**
     * One row of pg_event_trigger_ddl_commands or pg_event_trigger_dropped_objects.
     *
     * @param drop whether it is of a dropped object
     * @param commandTag the tag of the command that did it, which may be one inside the statement
     * @param address class, oid and sub-id
     * @param identity its full name
     * @param original whether the object was named, not reached
     * @param hangs whether it is a relation that hangs on one that the parser has named: an index of a table
     */
    record Event(boolean drop, String commandTag, String address, String identity, boolean original, boolean hangs) {
        /** The address of the whole object that it may be a part of. */
        String whole() {
            return address.substring(0, address.lastIndexOf(':')) + ":0";
        }
    }
}
