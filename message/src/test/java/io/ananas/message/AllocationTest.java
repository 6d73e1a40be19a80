package io.ananas.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Both views are moved from message to message without allocation. */
class AllocationTest {
    private static final int ROUNDS = 200_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long allocatedBy(Runnable work) {
        work.run();
        final long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void messageView() {
        final Name owner = Name.of("www.example.test");
        final MessageWriter writer =
                new MessageWriter(4096).header(1, 0x8180).question(owner, RecordType.A, 1);
        for (int i = 0; i < 100; i++) {
            writer.record(0, owner, RecordType.A, 1, 60, new byte[4]);
        }
        writer.record(1, owner, RecordType.NS, 1, 60, owner.wire());
        writer.edns(Edns.of(1232, true));
        final byte[] message = writer.toByteArray();
        final MessageView view = new MessageView();
        final byte[] target = new byte[300];
        final long bytes =
                allocatedBy(() -> {
                    for (int i = 0; i < ROUNDS / 100; i++) {
                        assertNone(view.parse(message, message.length));
                        view.expandName(view.ownerOffset(i % 100), target, 0);
                        view.expandRdata(100, target, 0);
                    }
                });
        assertThat(bytes).isLessThan(ROUNDS / 100);
    }

    private static void assertNone(Fault fault) {
        if (fault != Fault.NONE) {
            throw new AssertionError(fault.text());
        }
    }

    @Test
    void queryView() {
        final byte[] message =
                Packet.header(1, 0x0100, 1, 0, 0, 1)
                        .name("www.example.test")
                        .u32(0x10001)
                        .opt(1232, 0, 0, new Packet().hex("0008000700011800cb0071").toBytes())
                        .toBytes();
        final QueryView view = new QueryView();
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment memory = arena.allocate(512);
            final long address = memory.address();
            Memory.copyFrom(message, 0, address, message.length);
            final long bytes =
                    allocatedBy(() -> {
                        for (int i = 0; i < ROUNDS; i++) {
                            if (view.parse(address, message.length) != 0) {
                                throw new AssertionError("not answerable");
                            }
                        }
                    });
            assertThat(bytes).isLessThan(ROUNDS);
        }
    }
}
