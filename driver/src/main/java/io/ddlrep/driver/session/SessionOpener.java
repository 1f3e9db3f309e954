package io.ddlrep.driver.session;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.Notice;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.jdbc.JdbcNodeSession;
import io.ddlrep.engine.jdbc.SqlErrors;
import io.ddlrep.engine.node.Credentials;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/**
 * Opens and closes one connection's side of the engine; the engine itself is shared. Used by the thread that owns the
 * connection.
 */
public final class SessionOpener {
    /** What a connection knows of its group. Immutable. */
    public record Target(Group group, EngineKey key, EngineConfig config, Credentials credentials) {}

    private final Engines engines;
    private final EngineFactory factory;
    private final Target target;
    private Engines.@Nullable Lease lease;

    /**
     * Makes an opener.
     *
     * @param engines the engines of the driver instance
     * @param factory opens an engine that is not open yet
     * @param target the group and how to reach it
     */
    public SessionOpener(Engines engines, EngineFactory factory, Target target) {
        this.engines = engines;
        this.factory = factory;
        this.target = target;
    }

    /** The name of the node that the client is connected to. */
    String node() {
        return target.group().self();
    }

    Timers timers() {
        return engines.timers();
    }

    ClientSession open(JdbcNodeSession origin, Consumer<Notice> notices) {
        Engines.Lease share = engines.lease(target.key(), () -> factory.open(target.config(), target.group()));
        try {
            ClientSession opened =
                    share.engine().open(origin, target.config().connector().as(target.credentials()), notices);
            lease = share;
            return opened;
        } catch (RuntimeException e) {
            share.close();
            throw e;
        }
    }

    /** The origin first: after its ROLLBACK no decision can appear any more. */
    void close(ClientSession session, BaseConnection raw) {
        try {
            if (session.isOperationOpen() && !raw.isClosed()) {
                session.rollback(() -> rollback(raw));
            }
        } catch (RuntimeException | SQLException ignored) {
            // The client goes: nobody is left to be told, and the server rolls back when the socket closes.
        }
        try {
            session.close();
        } finally {
            Engines.Lease share = lease;
            lease = null;
            if (share != null) {
                share.close();
            }
        }
    }

    private void rollback(BaseConnection raw) {
        try {
            raw.execSQLUpdate("ROLLBACK");
        } catch (SQLException e) {
            throw SqlErrors.from(node(), e, raw);
        }
    }
}
