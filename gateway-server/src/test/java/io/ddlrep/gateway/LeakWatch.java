package io.ddlrep.gateway;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a class of tests behind which a buffer was lost. Registered for all of them, by the service file; Netty watches every
 * buffer (level paranoid), and finds a lost one when it was collected and another is allocated.
 */
public final class LeakWatch implements BeforeAllCallback, AfterAllCallback {
    private static final Queue<String> LOST = new ConcurrentLinkedQueue<>();
    private static final int ROUNDS = 3;

    static {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @SuppressWarnings("deprecation")
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                    Class<T> resource, int samplingInterval, long maxActive) {
                return detector(resource, samplingInterval);
            }

            @Override
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> resource, int samplingInterval) {
                return detector(resource, samplingInterval);
            }
        });
    }

    /** For JUnit. */
    public LeakWatch() {}

    private static <T> ResourceLeakDetector<T> detector(Class<T> resource, int samplingInterval) {
        return new ResourceLeakDetector<T>(resource, samplingInterval) {
            @Override
            protected void reportTracedLeak(String type, String records) {
                LOST.add(type + records);
                super.reportTracedLeak(type, records);
            }

            @Override
            protected void reportUntracedLeak(String type) {
                LOST.add(type);
                super.reportUntracedLeak(type);
            }
        };
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // That this class is loaded is enough.
    }

    @Override
    public void afterAll(ExtensionContext context) {
        for (int round = 0; round < ROUNDS; round++) {
            System.gc();
            PooledByteBufAllocator.DEFAULT.buffer().release();
        }
        String lost = LOST.poll();
        if (lost != null) {
            throw new AssertionError("a buffer was lost: " + lost);
        }
    }
}
