package io.ddlrep.engine.node;

import org.jspecify.annotations.Nullable;

/**
 * Who logs in. Never prints its password. Immutable.
 *
 * @param user the role
 * @param password its password, or null where none is needed or pgpass has it
 */
public record Credentials(String user, @Nullable String password) {
    @Override
    public String toString() {
        return "Credentials[user=" + user + "]";
    }
}
