package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.Row;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What code of the client does in scope {@code database} and no event trigger is told of: roles are refused, privileges on the
 * database are read from the catalogs. Owned by the operation's thread.
 */
final class UnseenChanges {
    private static final String STATE = SqlResource.text("sql/unseen_state.sql");
    private static final String RIGHTS = SqlResource.text("sql/database_rights.sql");

    private final OperationContext context;
    private final @Nullable Row before;

    private UnseenChanges(OperationContext context, @Nullable Row before) {
        this.context = context;
        this.before = before;
    }

    /** Before the code runs. */
    static UnseenChanges before(OperationContext context) {
        boolean replicated = context.publications().stream().anyMatch(p -> p.scope() == Group.Scope.DATABASE)
                && !context.companions().isEmpty();
        return new UnseenChanges(context, replicated ? state(context) : null);
    }

    private static Row state(OperationContext context) {
        return context.client().session().query(STATE).get(0);
    }

    /**
     * Behind the code.
     *
     * @return statements for the replicas
     * @throws io.ddlrep.engine.DdlrepException 0A000 where it has changed roles
     */
    List<String> after() {
        if (before == null) {
            return List.of();
        }
        Row after = state(context);
        boolean roles = before.flag("changed")
                ? !Objects.equals(before.get("digest"), after.get("digest"))
                : after.flag("changed");
        // The databases of one server have the same roles.
        if (roles && !context.companionsOnOtherServers().isEmpty()) {
            throw Errors.unsupported(
                    "code has changed roles of the server, their memberships or settings, which no event trigger sees;"
                            + " rolled back on every node",
                    "Send CREATE ROLE, ALTER ROLE, GRANT and their like as statements of their own.");
        }
        String rights = before.get("rights");
        if (Objects.equals(rights, after.get("rights"))) {
            return List.of();
        }
        return context.client().session().query(RIGHTS, rights).stream()
                .map(row -> DatabasePrivileges.onReplicas(row.text("before"), row.text("behind")))
                .toList();
    }
}
