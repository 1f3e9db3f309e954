package io.ddlrep.gateway.http;

import io.ddlrep.engine.control.GroupStatus;
import io.ddlrep.gateway.session.OpenSessions;
import io.ddlrep.gateway.session.Traffic;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a gateway and its group tell Prometheus. The group is asked anew by each scrape. Thread-safe. */
public final class GatewayMetrics implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayMetrics.class);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final Supplier<GroupStatus> group;
    private final MultiGauge nodes;
    private final MultiGauge prepared;
    private final MultiGauge replicas;
    private final MultiGauge behind;

    /**
     * Makes it.
     *
     * @param sessions the gateway's sessions
     * @param traffic what has passed
     * @param paused whether DDL waits
     * @param group how the group is; may block, and throw where the origin cannot be asked
     */
    public GatewayMetrics(OpenSessions sessions, Traffic traffic, BooleanSupplier paused, Supplier<GroupStatus> group) {
        this.group = group;
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collections.bindTo(registry);
        Gauge.builder("ddlrep.gateway.sessions", sessions, OpenSessions::count)
                .description("Clients that are logged in")
                .register(registry);
        Gauge.builder("ddlrep.gateway.draining", sessions, each -> each.isDraining() ? 1 : 0)
                .description("1 while the gateway ends")
                .register(registry);
        Gauge.builder("ddlrep.gateway.paused", paused, each -> each.getAsBoolean() ? 1 : 0)
                .description("1 while PAUSE has DDL wait")
                .register(registry);
        FunctionCounter.builder("ddlrep.gateway.sessions.begun", traffic, Traffic::sessions)
                .description("Sessions that were begun")
                .register(registry);
        FunctionCounter.builder("ddlrep.gateway.queries", traffic, Traffic::queries)
                .description("Queries, or pipelines, that the origin has answered")
                .register(registry);
        FunctionTimer.builder(
                        "ddlrep.gateway.ddl", traffic, Traffic::worked, Traffic::workedNanos, TimeUnit.NANOSECONDS)
                .description("Messages that the gateway ran itself: DDL, and what stands in one transaction with it")
                .register(registry);
        FunctionCounter.builder("ddlrep.gateway.received", traffic, Traffic::received)
                .description("Bytes from clients")
                .baseUnit("bytes")
                .register(registry);
        FunctionCounter.builder("ddlrep.gateway.sent", traffic, Traffic::sent)
                .description("Bytes to clients")
                .baseUnit("bytes")
                .register(registry);
        this.nodes = MultiGauge.builder("ddlrep.node.up")
                .description("1 where the node takes part, 0 where it is lost")
                .register(registry);
        this.prepared = MultiGauge.builder("ddlrep.node.prepared")
                .description("Transactions of ddlrep that are prepared on the node")
                .register(registry);
        this.replicas = MultiGauge.builder("ddlrep.replica.state")
                .description("1 for the state that the replica has")
                .register(registry);
        this.behind = MultiGauge.builder("ddlrep.replica.behind")
                .description("1 where the replica lacks changes")
                .register(registry);
    }

    /** All of it in Prometheus' text format. Where the group cannot be asked, its part is left out. */
    public String scrape() {
        try {
            group(group.get());
        } catch (RuntimeException e) {
            LOG.warn("the group cannot be asked for its state: {}", e.toString());
            List.of(nodes, prepared, replicas, behind).forEach(gauge -> gauge.register(List.of(), true));
        }
        return registry.scrape();
    }

    private void group(GroupStatus status) {
        List<MultiGauge.Row<?>> up = new ArrayList<>();
        List<MultiGauge.Row<?>> left = new ArrayList<>();
        for (GroupStatus.Node node : status.nodes()) {
            up.add(MultiGauge.Row.of(Tags.of("node", node.name()), node.isLost() ? 0 : 1));
            left.add(MultiGauge.Row.of(Tags.of("node", node.name()), node.prepared()));
        }
        List<MultiGauge.Row<?>> states = new ArrayList<>();
        List<MultiGauge.Row<?>> late = new ArrayList<>();
        for (GroupStatus.PublicationStatus publication : status.publications()) {
            for (GroupStatus.Replica replica : publication.replicas()) {
                Tags tags = Tags.of("publication", publication.name(), "node", replica.node());
                states.add(MultiGauge.Row.of(tags.and("state", replica.state()), 1));
                replica.behind().ifPresent(is -> late.add(MultiGauge.Row.of(tags, is ? 1 : 0)));
            }
        }
        nodes.register(up, true);
        prepared.register(left, true);
        replicas.register(states, true);
        behind.register(late, true);
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
