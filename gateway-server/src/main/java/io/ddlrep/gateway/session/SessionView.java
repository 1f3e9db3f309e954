package io.ddlrep.gateway.session;

import java.net.InetSocketAddress;
import java.time.Instant;

/**
 * A session as an admin sees it. Immutable.
 *
 * @param id its number in this gateway
 * @param user who has logged in
 * @param database the origin's database
 * @param application as the client called itself when it logged in, or empty
 * @param state active, idle, idle in transaction, or idle in transaction (aborted)
 * @param operating whether the gateway works for it
 * @param client where the client is
 * @param listener where it has connected
 * @param local this end of the connection to the origin
 * @param origin the origin's end of it
 * @param began when
 * @param tls whether the client's connection is encrypted
 * @param originTls whether the one to the origin is
 * @param pid of its backend on the origin
 */
public record SessionView(
        long id,
        String user,
        String database,
        String application,
        String state,
        boolean operating,
        InetSocketAddress client,
        InetSocketAddress listener,
        InetSocketAddress local,
        InetSocketAddress origin,
        Instant began,
        boolean tls,
        boolean originTls,
        int pid) {}
