package io.ddlrep.testkit.proxy;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One direction of one connection: a thread that reads messages and one that forwards them, with a bounded queue between
 * them. Two threads, so that a delay is latency and not a limit of throughput: messages age in the queue side by side.
 * Thread-safe.
 */
final class Pipe {

    private static final int QUEUE_LENGTH = 4096;

    /** A message and when it came (System.nanoTime); a null message is the end of the stream. */
    private record Arrival(@Nullable WireMessage message, long nanos) {}

    private final MessageReader source;
    private final Socket target;
    private final Faults faults;
    private final Runnable whenEnded;
    private final Runnable whenBroken;
    private final BlockingQueue<Arrival> queue = new LinkedBlockingQueue<>(QUEUE_LENGTH);
    private final Thread reader;
    private final Thread writer;

    Pipe(String name, MessageReader source, Socket target, Faults faults, Link link) {
        this.source = source;
        this.target = target;
        this.faults = faults;
        this.whenEnded = link::ended;
        this.whenBroken = link::cut;
        this.reader = new Thread(this::read, name + " reader");
        this.writer = new Thread(this::write, name + " writer");
        reader.setDaemon(true);
        writer.setDaemon(true);
    }

    void start() {
        reader.start();
        writer.start();
    }

    void stop() {
        reader.interrupt();
        writer.interrupt();
    }

    private void read() {
        try {
            WireMessage message = source.next();
            while (message != null) {
                queue.put(new Arrival(message, System.nanoTime()));
                message = source.next();
            }
            queue.put(new Arrival(null, System.nanoTime()));
        } catch (IOException e) {
            whenBroken.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write() {
        try {
            OutputStream out = new BufferedOutputStream(target.getOutputStream(), 1 << 16);
            Arrival arrival = queue.take();
            while (arrival.message() != null) {
                age(arrival, out);
                faults.pass(arrival.message());
                out.write(arrival.message().bytes());
                if (queue.isEmpty()) {
                    out.flush();
                }
                arrival = queue.take();
            }
            out.flush();
            faults.pass(new WireMessage(WireMessage.UNTYPED, new byte[0]));
            target.shutdownOutput();
            whenEnded.run();
        } catch (IOException e) {
            whenBroken.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the message is as old as the delay; what was forwarded before leaves the buffer first. */
    private void age(Arrival arrival, OutputStream out) throws IOException, InterruptedException {
        long rest = arrival.nanos() + faults.delay().toNanos() - System.nanoTime();
        if (rest > 0) {
            out.flush();
            TimeUnit.NANOSECONDS.sleep(rest);
        }
    }
}
