package io.ddlrep.gateway.session;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A thread with an event loop of its own, made when it is first asked for; it ends with the thread. */
final class LoopThread extends Thread {
    private final Supplier<IoHandlerFactory> io;
    private @Nullable ManualIoEventLoop loop;

    LoopThread(Runnable task, String name, Supplier<IoHandlerFactory> io) {
        super(task, name);
        this.io = io;
        setDaemon(true);
    }

    /** The calling thread's loop; it must be a thread of this kind. */
    static ManualIoEventLoop loop() {
        return ((LoopThread) currentThread()).own();
    }

    private ManualIoEventLoop own() {
        ManualIoEventLoop made = loop;
        if (made == null) {
            made = new ManualIoEventLoop(this, io.get());
            loop = made;
        }
        return made;
    }

    @Override
    public void run() {
        try {
            super.run();
        } finally {
            end();
        }
    }

    private void end() {
        ManualIoEventLoop made = loop;
        if (made != null) {
            Future<?> ended = made.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            while (!ended.isDone()) {
                made.run(0);
            }
        }
    }
}
