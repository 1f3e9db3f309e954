package io.ddlrep.gateway.admin;

import java.util.Set;

/**
 * Who may use the virtual database. Immutable.
 *
 * @param admins who may also give commands
 * @param readers who may read
 */
public record AdminUsers(Set<String> admins, Set<String> readers) {
    /** Nobody. */
    public static final AdminUsers NONE = new AdminUsers(Set.of(), Set.of());

    /** Makes it. */
    public AdminUsers {
        admins = Set.copyOf(admins);
        readers = Set.copyOf(readers);
    }

    boolean mayRead(String user) {
        return isAdmin(user) || readers.contains(user);
    }

    boolean isAdmin(String user) {
        return admins.contains(user);
    }
}
