package io.ddlrep.driver;

import io.ddlrep.driver.session.EngineFactory;
import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.DdlEngine;
import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.Notice;
import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.OriginStatement;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.node.CompanionConnector;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.parser.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * An engine of one node: it keeps the rules of {@link ClientSession} on a real server, replicates nothing, and writes
 * down what it was asked. What can go wrong on other nodes is scripted by {@link #onPerform}.
 */
final class LocalEngine implements EngineFactory {
    final List<String> asked = new CopyOnWriteArrayList<>();
    final List<EngineConfig> configs = new CopyOnWriteArrayList<>();
    final AtomicInteger open = new AtomicInteger();

    /** Called by each perform before the client's statement runs. */
    volatile Consumer<Session> onPerform = session -> {};

    @Override
    public DdlEngine open(EngineConfig config, Group group) {
        configs.add(config);
        open.incrementAndGet();
        return new DdlEngine() {
            @Override
            public Group group() {
                return group;
            }

            @Override
            public ClientSession open(NodeSession client, CompanionConnector companions, Consumer<Notice> notices) {
                return new Session(client, companions, notices);
            }

            @Override
            public void close() {
                open.decrementAndGet();
            }
        };
    }

    final class Session implements ClientSession {
        final NodeSession client;
        final CompanionConnector companions;
        final Consumer<Notice> notices;
        final AtomicInteger cancels = new AtomicInteger();
        private volatile boolean operation;

        private Session(NodeSession client, CompanionConnector companions, Consumer<Notice> notices) {
            this.client = client;
            this.companions = companions;
            this.notices = notices;
        }

        @Override
        public boolean isOperationOpen() {
            return operation;
        }

        @Override
        public void perform(Statement.Ddl ddl, List<Statement> script, OriginCall call) {
            asked.add("perform " + ddl.tag() + (script.size() > 1 ? " of " + script.size() : ""));
            operation = true;
            onPerform.accept(this);
            call.run();
        }

        @Override
        public void performAutocommit(Statement.Ddl ddl, OriginStatement call) {
            asked.add("autocommit " + ddl.tag());
            onPerform.accept(this);
            call.run();
        }

        @Override
        public void performCode(Statement statement, OriginCall call) {
            asked.add("code " + statement.tag());
            call.run();
        }

        @Override
        public void commit(OriginCall call) {
            end("commit", call);
        }

        @Override
        public void rollback(OriginCall call) {
            end("rollback", call);
        }

        private void end(String verb, OriginCall call) {
            asked.add(verb);
            try {
                call.run();
            } finally {
                operation = false;
            }
        }

        @Override
        public void savepoint(String name, OriginCall call) {
            asked.add("savepoint " + name);
            call.run();
        }

        @Override
        public void rollbackTo(String name, OriginCall call) {
            asked.add("rollback to " + name);
            call.run();
        }

        @Override
        public void release(String name, OriginCall call) {
            asked.add("release " + name);
            call.run();
        }

        @Override
        public void cancel() {
            cancels.incrementAndGet();
            client.cancel();
        }

        @Override
        public void close() {
            asked.add("close");
            operation = false;
        }
    }

    /** What was asked since the last call. */
    List<String> drain() {
        List<String> all = new ArrayList<>(asked);
        asked.clear();
        return all;
    }
}
