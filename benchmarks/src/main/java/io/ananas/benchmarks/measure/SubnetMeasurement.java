package io.ananas.benchmarks.measure;

import io.ananas.cache.AnswerCache;
import io.ananas.cache.CacheOptions;
import io.ananas.cache.CacheStats;
import io.ananas.message.ClientSubnet;
import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import io.ananas.testkit.Workload;
import java.net.InetAddress;
import java.util.Random;

/** What an answer for a client subnet needs beyond one for everyone. */
public final class SubnetMeasurement {
    private static final int ENTRIES = 20_000;
    private static final int SUBNETS = 8;
    private static final long SIZE = 64L << 20;
    private static final int PREFIX = 24;

    private SubnetMeasurement() {}

    /**
     * Octets more per answer: the subnet, the general form, and its share of the note of scopes.
     */
    public static double extraOctets() {
        return mean(true) - mean(false);
    }

    private static double mean(boolean subnets) {
        try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(SIZE), new Random(1))) {
            final Workload workload = new Workload();
            final MessageView view = new MessageView();
            final byte[] packet = new byte[1_200];
            for (int i = 0; i < ENTRIES; i++) {
                if (view.parse(packet, workload.generate(i).response(packet)) != Fault.NONE) {
                    throw new IllegalStateException("entry " + i + " is no sound answer");
                }
                insert(cache, view, subnets);
            }
            final CacheStats stats = cache.stats();
            return (double) stats.entryOctets() / ENTRIES / (subnets ? SUBNETS : 1);
        }
    }

    private static void insert(AnswerCache cache, MessageView view, boolean subnets) {
        if (!subnets) {
            cache.insert(view, Workload.CREATED);
            return;
        }
        for (int subnet = 0; subnet < SUBNETS; subnet++) {
            final InetAddress address = InetAddress.ofLiteral("10.0." + subnet + ".0");
            cache.insert(
                    view, ClientSubnet.of(address, PREFIX).withScope(PREFIX), Workload.CREATED);
        }
    }
}
