package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.ClientSubnet;
import io.ananas.message.Memory;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import io.ananas.message.RecordType;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Answers for client subnets (RFC 7871): the longest match wins, as a naive model says. */
class SubnetTest {
    private static final int NOW = 1_700_000_000;
    private static final Name NAME = Name.of("tailored.example.");

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Scoped(byte[] address, int prefix, int answer) {
        boolean covers(byte[] client, int source) {
            if (prefix > source || client.length != address.length) {
                return false;
            }
            for (int bit = 0; bit < prefix; bit++) {
                if (((client[bit >> 3] ^ address[bit >> 3]) >> (7 - (bit & 7)) & 1) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    @Test
    void longestMatchEqualsANaiveModel() throws Exception {
        for (long seed = 1; seed <= 40; seed++) {
            run(seed);
        }
    }

    private static void run(long seed) throws UnknownHostException {
        final Random random = new Random(seed);
        final List<Scoped> model = new ArrayList<>();
        try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(4 << 20), random);
                CacheReader reader = cache.newReader();
                Packets packets = new Packets();
                Arena arena = Arena.ofConfined()) {
            final int everyone = 1 << 30;
            if (random.nextBoolean()) {
                cache.insert(Packets.addresses(NAME, 300, everyone, 1), NOW);
                model.add(new Scoped(new byte[4], 0, everyone));
                model.add(new Scoped(new byte[16], 0, everyone));
            }
            for (int i = 1; i <= 200; i++) {
                final byte[] address = address(random);
                final int source = 1 + random.nextInt(address.length == 4 ? 24 : 56);
                final int scope = 1 + random.nextInt(source);
                final ClientSubnet subnet =
                        ClientSubnet.of(InetAddress.getByAddress(address), source).withScope(scope);
                cache.insert(Packets.addresses(NAME, 300, i << 8, 1), subnet, NOW);
                model.removeIf(s -> s.prefix == scope && s.covers(address, scope));
                model.add(new Scoped(address, scope, i << 8));
            }
            final long where = arena.allocate(16, 8).address();
            for (int i = 0; i < 500; i++) {
                final byte[] client = address(random);
                final int source = 1 + random.nextInt(client.length == 4 ? 24 : 56);
                Memory.copyFrom(client, 0, where, client.length);
                final QueryView query = packets.ask(NAME, RecordType.A, 0x100, 1_232, false);
                final int octets =
                        reader.lookupSubnet(
                                query,
                                client.length == 4 ? 1 : 2,
                                where,
                                source,
                                NOW,
                                packets.replyAddress(),
                                1_232);
                final int got =
                        octets == 0
                                ? -1
                                : Memory.getIntBE(
                                        packets.replyAddress() + query.questionEnd() + 12);
                assertThat(got)
                        .as("seed %d client %d", seed, i)
                        .isEqualTo(best(model, client, source));
            }
        }
    }

    private static int best(List<Scoped> model, byte[] client, int source) {
        Scoped best = new Scoped(client, -1, -1);
        for (Scoped scoped : model) {
            if (scoped.covers(client, source) && scoped.prefix > best.prefix) {
                best = scoped;
            }
        }
        return best.answer;
    }

    /** Few distinct addresses, so that prefixes nest. */
    private static byte[] address(Random random) {
        final byte[] address = new byte[random.nextInt(3) == 0 ? 16 : 4];
        address[0] = (byte) (random.nextInt(2) * 128 + 1);
        address[1] = (byte) (random.nextInt(4) << 5);
        address[2] = (byte) random.nextInt(4);
        return address;
    }

    @Test
    void asB035WhoOptsOutIsKeptApart() throws Exception {
        final ClientSubnet none = ClientSubnet.of(InetAddress.getByName("0.0.0.0"), 0);
        final ClientSubnet everyone =
                ClientSubnet.of(InetAddress.getByName("198.51.100.0"), 24).withScope(0);
        try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(1 << 20), new Random(1));
                CacheReader reader = cache.newReader();
                Packets packets = new Packets();
                Arena arena = Arena.ofConfined()) {
            final long client = arena.allocate(16, 8).address();
            Memory.putIntBE(client, 0xc6336407);
            cache.insert(Packets.addresses(NAME, 300, 1 << 8, 1), none, NOW);
            assertThat(ask(reader, packets, client, 24)).as("q2 goes upstream").isEqualTo(-1);
            assertThat(ask(reader, packets, client, 0)).as("q3").isEqualTo(1 << 8);
            cache.insert(Packets.addresses(NAME, 300, 2 << 8, 1), everyone, NOW);
            assertThat(ask(reader, packets, client, 24)).as("q4, any client").isEqualTo(2 << 8);
            assertThat(packets.firstAddress(reader, NAME, NOW)).isEqualTo(2 << 8);
        }
    }

    private static int ask(CacheReader reader, Packets packets, long client, int source) {
        final QueryView query = packets.ask(NAME, RecordType.A, 0x100, 1_232, false);
        final int octets =
                reader.lookupSubnet(query, 1, client, source, NOW, packets.replyAddress(), 1_232);
        return octets == 0
                ? -1
                : Memory.getIntBE(packets.replyAddress() + query.questionEnd() + 12);
    }

    @Test
    void asB037FourNetsAreFourEntriesAndAFlushTakesAll() throws Exception {
        final String[] nets = {
            "203.0.112.0/22", "203.0.112.0/24", "2001:db8:1200::/40", "2001:db8:1200::/56"
        };
        try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(1 << 20), new Random(1))) {
            for (int i = 0; i < nets.length; i++) {
                final int slash = nets[i].indexOf('/');
                final int prefix = Integer.parseInt(nets[i].substring(slash + 1));
                final InetAddress address = InetAddress.getByName(nets[i].substring(0, slash));
                cache.insert(
                        Packets.addresses(NAME, 300, i << 8, 1),
                        ClientSubnet.of(address, prefix).withScope(prefix),
                        NOW);
            }
            assertThat(cache.list(NAME, false, 10, NOW))
                    .hasSize(4)
                    .allMatch(a -> !a.subnet().isEmpty());
            cache.flush(NAME, RecordType.A);
            assertThat(cache.list(NAME, false, 10, NOW)).isEmpty();
            assertThat(cache.stats().entries()).isZero();
        }
    }

    @Test
    void answersOfOneNameAreBounded() throws Exception {
        Insertion last = Insertion.STORED;
        try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(4 << 20), new Random(1))) {
            for (int i = 0; i < 2 * AnswerCache.MAX_SUBNETS; i++) {
                final InetAddress address =
                        InetAddress.getByAddress(new byte[] {10, (byte) (i >> 8), (byte) i, 0});
                last =
                        cache.insert(
                                Packets.addresses(NAME, 300, i << 8, 1),
                                ClientSubnet.of(address, 24).withScope(24),
                                NOW);
            }
            assertThat(last).isEqualTo(Insertion.TOO_MANY_SUBNETS);
            assertThat(cache.stats().entries()).isLessThanOrEqualTo(AnswerCache.MAX_SUBNETS + 1);
        }
    }
}
