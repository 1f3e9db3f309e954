package io.ddlrep.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the figures were measured on. Immutable.
 *
 * @param cores processors that this process may use
 * @param load average of the last minute, before anything was started; negative where the system does not say
 * @param memory of the machine, in GB; 0 where the system does not say
 */
record Machine(int cores, double load, long memory) {
    private static final int BLOCK = 8192;

    /** Reads the machine's facts now. */
    static Machine now() {
        var system = ManagementFactory.getOperatingSystemMXBean();
        long memory = system instanceof com.sun.management.OperatingSystemMXBean known
                ? Math.round(known.getTotalMemorySize() / 1e9)
                : 0;
        return new Machine(system.getAvailableProcessors(), system.getSystemLoadAverage(), memory);
    }

    /** Milliseconds of one write of 8 kB and its flush, in a folder; each sample one write. */
    static Samples flushes(Path folder, int count) throws IOException {
        Path file = Files.createTempFile(folder, "flush", ".tmp");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer block = ByteBuffer.allocate(BLOCK);
            Samples samples = new Samples();
            for (int i = 0; i < count; i++) {
                block.clear();
                long start = System.nanoTime();
                int written = channel.write(block, (long) (i % 16) * BLOCK);
                channel.force(false);
                if (written != BLOCK) {
                    throw new IOException("wrote " + written + " of " + BLOCK + " bytes");
                }
                samples.add(Stopwatch.millisSince(start));
            }
            return samples;
        } finally {
            Files.delete(file);
        }
    }

    @Override
    public String toString() {
        return cores + " cores, " + memory + " GB, load before start " + Samples.number(load) + ", "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", Java "
                + System.getProperty("java.version");
    }
}
