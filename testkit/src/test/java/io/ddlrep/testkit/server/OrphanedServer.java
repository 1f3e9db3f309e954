package io.ddlrep.testkit.server;

/** Main program of a JVM that starts a server, says where it is, and waits to be killed. */
final class OrphanedServer {

    private OrphanedServer() {}

    public static void main(String[] arguments) throws Exception {
        PgServer server = PgServer.start(PgServerOptions.defaults());
        System.out.println(server.port() + " " + server.socketDirectory());
        System.out.flush();
        int end = System.in.read();
        if (end < 0) {
            server.stop();
        }
    }
}
