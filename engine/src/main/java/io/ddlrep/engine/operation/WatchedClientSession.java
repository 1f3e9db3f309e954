package io.ddlrep.engine.operation;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.OriginStatement;
import io.ddlrep.parser.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * A client session whose operation is ended when the client stays idle for too long. Used as {@link TriggerClientSession}
 * is; the watch's own thread takes turns with the client's.
 */
final class WatchedClientSession implements ClientSession {
    /** The server's own timeout comes first, so that the client is told by its server. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final TriggerClientSession session;
    private final IdleWatch watch;

    WatchedClientSession(TriggerClientSession session, ScheduledExecutorService timer) {
        this.session = session;
        this.watch = new IdleWatch(timer);
    }

    private void watched(Runnable task) {
        watch.begin();
        session.cancels().begin();
        try {
            task.run();
        } finally {
            session.cancels().end();
            @Nullable Duration limit = session.idleLimit();
            watch.end(limit == null ? null : limit.plus(GRACE), session::expire);
        }
    }

    @Override
    public boolean isOperationOpen() {
        return session.isOperationOpen();
    }

    @Override
    public void perform(Statement.Ddl ddl, List<Statement> script, OriginCall call) {
        watched(() -> session.perform(ddl, script, call));
    }

    @Override
    public void performAutocommit(Statement.Ddl ddl, OriginStatement call) {
        watched(() -> session.performAutocommit(ddl, call));
    }

    @Override
    public void performCode(Statement statement, OriginCall call) {
        watched(() -> session.performCode(statement, call));
    }

    @Override
    public void commit(OriginCall call) {
        watched(() -> session.commit(call));
    }

    @Override
    public void rollback(OriginCall call) {
        watched(() -> session.rollback(call));
    }

    @Override
    public void savepoint(String name, OriginCall call) {
        watched(() -> session.savepoint(name, call));
    }

    @Override
    public void rollbackTo(String name, OriginCall call) {
        watched(() -> session.rollbackTo(name, call));
    }

    @Override
    public void release(String name, OriginCall call) {
        watched(() -> session.release(name, call));
    }

    @Override
    public void cancel() {
        session.cancel();
    }

    @Override
    public void close() {
        watched(session::close);
    }
}
