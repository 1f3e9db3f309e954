package io.ddlrep.gateway.cli;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for SIGHUP by {@code sun.misc.Signal} of the module jdk.unsupported, which is the only way that Java has; by
 * reflection, since the compiler warns of the class and will not be told otherwise. Stateless.
 */
final class Hangup {
    private static final Logger LOG = LoggerFactory.getLogger(Hangup.class);

    private Hangup() {}

    /** Runs a task at each SIGHUP, on a thread of the JVM; where there is no such signal, never. */
    static void listen(Runnable task) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object listener = Proxy.newProxyInstance(
                    Hangup.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            task.run();
                            return null;
                        }
                        return method.getName().equals("hashCode")
                                ? System.identityHashCode(proxy)
                                : method.getName().equals("equals") ? proxy == arguments[0] : "SIGHUP";
                    });
            Object unused = signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), listener);
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.debug("no SIGHUP here", e);
        }
    }
}
