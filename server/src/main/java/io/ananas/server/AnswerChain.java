package io.ananas.server;

import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.Wire;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The answer section of a response, followed from the asked name along its aliases to the data or
 * to where they end (RFC 1034, section 4.3.2; RFC 6672, section 3.2 for DNAME).
 *
 * <p>Several responses may be followed in turn, each from where the one before has ended. What was
 * passed on the way is kept, aliases first and in their order, each RRset with its signatures
 * behind it, each record once, with the lowest TTL of its RRset (RFC 2181, sections 5 and 5.2).
 * What the way does not touch does not belong to the answer and stays behind. The work is near
 * linear in the number of records. Not thread-safe.
 */
final class AnswerChain {
    /** Aliases that may follow one another. */
    static final int MAX_STEPS = 16;

    /** Where a response leads. */
    enum End {
        /** To the data that was asked for. */
        DATA,
        /** To a name that it says nothing about. */
        OPEN,
        /** To a name that was passed before. */
        LOOP,
        /** Further than anybody should go. */
        TOO_LONG
    }

    /** A record that belongs to the answer. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Entry(Name owner, int type, int recordClass, long ttl, byte[] rdata) {}

    private record RrsetKey(Name owner, int type, int covered) {}

    private final int type;
    private final List<Entry> entries = new ArrayList<>();
    private final Set<Name> passed = new HashSet<>();
    private Name name;
    private int steps;
    private Map<RrsetKey, List<Integer>> sets = new HashMap<>();

    AnswerChain(Name asked, int type) {
        this.type = type;
        name = asked;
        passed.add(asked);
    }

    /** Follows a response from the name where the chain stands. */
    End follow(MessageView response) {
        sets = sets(response);
        while (true) {
            if (take(response, name, type)) {
                return End.DATA;
            }
            final Name target = step(response);
            if (target == null) {
                return End.OPEN;
            }
            if (type == RecordType.CNAME) {
                return End.DATA; // the alias that a DNAME has made
            }
            if (!passed.add(target)) {
                return End.LOOP;
            }
            name = target;
            if (++steps > MAX_STEPS) {
                return End.TOO_LONG;
            }
        }
    }

    /** Takes the alias of the name where the chain stands; its target, or null if there is none. */
    private @Nullable Name step(MessageView response) {
        final Name redirected = redirect(response);
        final List<Integer> aliases =
                sets.getOrDefault(new RrsetKey(name, RecordType.CNAME, 0), List.of());
        if (!aliases.isEmpty() && type != RecordType.CNAME) {
            final Name owner = name;
            final Name target = Name.ofWire(response.rdata(aliases.getFirst()), 0);
            aliases.subList(1, aliases.size()).clear(); // an alias has one target (RFC 2181, 10.1)
            take(response, owner, RecordType.CNAME);
            return target;
        }
        if (redirected != null) {
            long ttl = 0;
            for (Entry entry : entries) {
                if (entry.type() == RecordType.DNAME) {
                    ttl = entry.ttl();
                }
            }
            entries.add(new Entry(name, RecordType.CNAME, RecordClass.IN, ttl, redirected.wire()));
        }
        return redirected;
    }

    /** Takes a DNAME above the name; what the name becomes by it, or null. */
    private @Nullable Name redirect(MessageView response) {
        for (Name above = name; !above.isRoot(); ) {
            above = above.parent();
            final List<Integer> found = sets.get(new RrsetKey(above, RecordType.DNAME, 0));
            if (found != null && !found.isEmpty()) {
                final Name target = Name.ofWire(response.rdata(found.getFirst()), 0);
                final int front = name.length() - above.length();
                if (front + target.length() > MessageLayout.MAX_NAME) {
                    return null;
                }
                take(response, above, RecordType.DNAME);
                final byte[] wire = Arrays.copyOf(name.wire(), front + target.length());
                target.copyTo(wire, front);
                return Name.ofWire(wire, 0);
            }
        }
        return null;
    }

    private boolean take(MessageView response, Name owner, int wanted) {
        if (wanted == RecordType.RRSIG || wanted == RecordType.ANY) {
            return takeAll(response, owner, wanted);
        }
        final boolean found = add(response, sets.remove(new RrsetKey(owner, wanted, 0)));
        if (found) {
            add(response, sets.remove(new RrsetKey(owner, RecordType.RRSIG, wanted)));
        }
        return found;
    }

    private boolean takeAll(MessageView response, Name owner, int wanted) {
        boolean found = false;
        for (Map.Entry<RrsetKey, List<Integer>> set : sets.entrySet()) {
            final RrsetKey key = set.getKey();
            if (key.owner().equals(owner)
                    && (wanted == RecordType.ANY || key.type() == RecordType.RRSIG)) {
                found |= add(response, set.getValue());
            }
        }
        return found;
    }

    private boolean add(MessageView response, @Nullable List<Integer> records) {
        if (records == null || records.isEmpty()) {
            return false;
        }
        long least = Long.MAX_VALUE;
        for (int record : records) {
            least = Math.min(least, response.ttl(record));
        }
        final Set<ByteBuffer> known = new HashSet<>();
        for (int record : records) {
            final byte[] rdata = response.rdata(record);
            if (known.add(ByteBuffer.wrap(rdata))) {
                entries.add(
                        new Entry(
                                response.owner(record),
                                response.type(record),
                                response.recordClass(record),
                                least,
                                rdata));
            }
        }
        return true;
    }

    private static Map<RrsetKey, List<Integer>> sets(MessageView response) {
        final Map<RrsetKey, List<Integer>> sets = new LinkedHashMap<>();
        for (int i = 0; i < response.endRecord(MessageView.ANSWER); i++) {
            if (response.recordClass(i) == RecordClass.IN) {
                final RrsetKey key =
                        new RrsetKey(response.owner(i), response.type(i), covered(response, i));
                sets.computeIfAbsent(key, k -> new ArrayList<>(1)).add(i);
            }
        }
        return sets;
    }

    /** The type that an RRSIG record covers; 0 for other records. */
    static int covered(MessageView response, int record) {
        if (response.type(record) != RecordType.RRSIG || response.rdataLength(record) < 2) {
            return 0;
        }
        final int at = response.rdataOffset(record);
        return Wire.u16(response.message(), at);
    }

    /** The name where the chain stands. */
    Name name() {
        return name;
    }

    /** Aliases passed. */
    int steps() {
        return steps;
    }

    List<Entry> entries() {
        return entries;
    }
}
