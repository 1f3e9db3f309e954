package io.ddlrep.gateway.cli;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code HOST:PORT}, {@code [ADDRESS]:PORT}, or {@code *:PORT} for every address of the machine. Stateless. */
final class ListenAddress {
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([^:\\[\\]]+)):([0-9]{1,5})");
    private static final int LAST_PORT = 65_535;

    private ListenAddress() {}

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException where it is none, or the host is not known
     */
    static InetSocketAddress parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > LAST_PORT) {
            throw new IllegalArgumentException(
                    "an address to listen on is HOST:PORT, [IPV6]:PORT or *:PORT, not \"" + text + "\"");
        }
        int port = Integer.parseInt(matcher.group(3));
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        if (host.equals("*")) {
            return new InetSocketAddress(port);
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("no host is called " + host);
        }
        return address;
    }
}
