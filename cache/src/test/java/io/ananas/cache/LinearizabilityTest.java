package io.ananas.cache;

import io.ananas.message.Name;
import java.util.Random;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Insertions and lookups of a few names from several threads look as if they had happened one after
 * the other. Answers differ in length, so that a new version sometimes takes the place of the old
 * one and sometimes is appended.
 */
@Param(name = "name", gen = IntGen.class, conf = "0:2")
@Param(name = "version", gen = IntGen.class, conf = "1:6")
public class LinearizabilityTest {
    private static final int NOW = 1_700_000_000;
    private static final int ATTEMPTS = 100;
    private static final AnswerCache CACHE =
            AnswerCache.open(
                    CacheOptions.ofSize(CacheOptions.MIN_SIZE).withRotate(false), new Random(1));
    private static final ThreadLocal<CacheReader> READERS =
            ThreadLocal.withInitial(CACHE::newReader);
    private static final ThreadLocal<Packets> PACKETS = ThreadLocal.withInitial(Packets::new);

    public LinearizabilityTest() {
        CACHE.flushAll();
    }

    @Operation
    public void insert(@Param(name = "name") int name, @Param(name = "version") int version) {
        CACHE.insert(Packets.addresses(nameOf(name), 300, version << 8, 1 + version % 3), NOW);
    }

    /**
     * A lookup that meets a writer which was stopped in the middle of its work counts as a miss
     * ({@link CacheReader}), so a miss is asked again before it is believed.
     */
    @Operation
    @SuppressWarnings("ThreadPriorityCheck") // only to let the stopped writer go on sooner
    public int lookup(@Param(name = "name") int name) {
        int found = -1;
        for (int attempt = 0; found == -1 && attempt < ATTEMPTS; attempt++) {
            found = PACKETS.get().firstAddress(READERS.get(), nameOf(name), NOW);
            Thread.yield();
        }
        return found;
    }

    private static Name nameOf(int name) {
        return Name.of("n" + name + ".example.");
    }

    /** What the cache is compared with. */
    public static final class Model {
        private final int[] versions = new int[3];

        public void insert(int name, int version) {
            versions[name] = version;
        }

        public int lookup(int name) {
            return versions[name] == 0 ? -1 : versions[name] << 8;
        }
    }

    @Test
    void insertionsAndLookupsAreLinearizable() {
        new StressOptions()
                .iterations(15)
                .invocationsPerIteration(400)
                .threads(3)
                .actorsPerThread(3)
                .sequentialSpecification(Model.class)
                .check(LinearizabilityTest.class);
    }
}
