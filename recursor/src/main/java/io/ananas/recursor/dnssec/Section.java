package io.ananas.recursor.dnssec;

import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A section of a message, taken apart into RRsets. */
final class Section {
    private static final long MAX_TTL = 0x7fff_ffffL;

    private record Key(Name owner, int type) {}

    private final Map<Key, Rrset> sets = new LinkedHashMap<>();

    private Section() {}

    static Section of(MessageView message, int section) {
        final Section result = new Section();
        for (int i = message.firstRecord(section); i < message.endRecord(section); i++) {
            if (message.recordClass(i) == RecordClass.IN && message.type(i) != RecordType.RRSIG) {
                result.addData(message, i);
            }
        }
        for (int i = message.firstRecord(section); i < message.endRecord(section); i++) {
            if (message.recordClass(i) == RecordClass.IN && message.type(i) == RecordType.RRSIG) {
                result.addSignature(message, i);
            }
        }
        return result;
    }

    private void addData(MessageView message, int record) {
        final byte[] rdata = rdata(message, record);
        if (rdata != null) {
            final Key key = new Key(message.owner(record), message.type(record));
            final Rrset set = sets.computeIfAbsent(key, Section::empty);
            set.rdata().add(rdata);
            note(key, set, message, record);
        }
    }

    private void addSignature(MessageView message, int record) {
        final byte[] rdata = rdata(message, record);
        final Rrsig signature = rdata == null ? null : Rrsig.parse(rdata);
        if (signature != null) {
            final Key key = new Key(message.owner(record), signature.typeCovered());
            final Rrset set = sets.get(key);
            if (set != null) {
                set.signatures().add(signature);
                note(key, set, message, record);
            }
        }
    }

    private void note(Key key, Rrset set, MessageView message, int record) {
        set.records().add(record);
        final long ttl = message.ttl(record) > MAX_TTL ? 0 : message.ttl(record);
        if (ttl < set.ttl()) {
            sets.put(
                    key,
                    new Rrset(
                            set.owner(),
                            set.type(),
                            ttl,
                            set.rdata(),
                            set.signatures(),
                            set.records()));
        }
    }

    private static Rrset empty(Key key) {
        return new Rrset(
                key.owner,
                key.type,
                MAX_TTL,
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>());
    }

    private static byte @Nullable [] rdata(MessageView message, int record) {
        final byte[] room = new byte[message.rdataLength(record) + 512];
        final int end = message.expandRdata(record, room, 0);
        return end < 0 ? null : Arrays.copyOf(room, end);
    }

    @Nullable Rrset get(Name owner, int type) {
        return sets.get(new Key(owner, type));
    }

    /** A DNAME whose owner is above {@code name}; null if there is none. */
    @Nullable Rrset dnameAbove(Name name) {
        for (final Rrset set : ofType(RecordType.DNAME)) {
            if (name.isSubdomainOf(set.owner()) && !name.equals(set.owner())) {
                return set;
            }
        }
        return null;
    }

    Collection<Rrset> all() {
        return sets.values();
    }

    List<Rrset> ofType(int type) {
        final List<Rrset> found = new ArrayList<>();
        for (final Rrset set : sets.values()) {
            if (set.type() == type) {
                found.add(set);
            }
        }
        return found;
    }
}
