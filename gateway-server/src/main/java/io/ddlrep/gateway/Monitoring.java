package io.ddlrep.gateway;

import io.ddlrep.gateway.http.GatewayMetrics;
import io.ddlrep.gateway.http.HttpEndpoint;
import java.net.InetSocketAddress;

/** A gateway's answers to monitoring. Thread-safe. */
public final class Monitoring implements AutoCloseable {
    private final GatewayMetrics metrics;
    private final HttpEndpoint endpoint;

    Monitoring(GatewayMetrics metrics, HttpEndpoint endpoint) {
        this.metrics = metrics;
        this.endpoint = endpoint;
    }

    /** Where it is asked. */
    public InetSocketAddress address() {
        return endpoint.address();
    }

    @Override
    public void close() {
        endpoint.close();
        metrics.close();
    }
}
