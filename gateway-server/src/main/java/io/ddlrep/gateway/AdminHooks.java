package io.ddlrep.gateway;

import io.ddlrep.gateway.admin.AdminUsers;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What the gateway's own database needs of the process around the gateway. Immutable; what it holds is thread-safe.
 *
 * @param users who may use it, now
 * @param reload reads the configuration anew; throws {@link IllegalStateException} where it cannot, and nothing has changed
 * @param drain has the process end as SIGTERM does, and does not wait
 * @param config with what the process was started, by name, without secrets
 * @param version the program's version
 */
public record AdminHooks(
        Supplier<AdminUsers> users,
        Runnable reload,
        Runnable drain,
        Supplier<Map<String, String>> config,
        String version) {
    /** Nobody may use it. */
    public static final AdminHooks NONE = new AdminHooks(
            () -> AdminUsers.NONE,
            () -> {
                throw new IllegalStateException("the gateway was started without a file");
            },
            () -> {
                throw new IllegalStateException("this gateway cannot be told to end");
            },
            Map::of,
            "ddlrep");
}
