package io.ananas.recursor.dnssec;

import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.Wire;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An answer made from validated proofs (RFC 8198), secure as they are. Immutable. */
public final class Synthesis {
    private static final int SOA_MINIMUM = 4;

    private final int responseCode;
    private final @Nullable Stored answer;
    private final List<Stored> authority;
    private final long now;

    Synthesis(int responseCode, @Nullable Stored answer, List<Stored> authority, long now) {
        this.responseCode = responseCode;
        this.answer = answer;
        this.authority = List.copyOf(authority);
        this.now = now;
    }

    /** NOERROR or NXDOMAIN. */
    public int responseCode() {
        return responseCode;
    }

    /** Whether it holds data, from a wildcard. */
    public boolean hasAnswer() {
        return answer != null;
    }

    /**
     * Seconds for which it holds: no longer than any of its records, and a denial no longer than
     * the SOA's MINIMUM (RFC 2308, section 5; RFC 9077).
     */
    public long ttl() {
        long ttl = answer == null ? Integer.MAX_VALUE : answer.expires() - now;
        for (final Stored proof : authority) {
            ttl = Math.min(ttl, proof.expires() - now);
            if (proof.valid().set().type() == RecordType.SOA) {
                final byte[] soa = proof.rdata();
                ttl = Math.min(ttl, Wire.i32(soa, soa.length - SOA_MINIMUM) & 0x7fff_ffffL);
            }
        }
        return ttl;
    }

    /**
     * The whole response with all its DNSSEC records, EDNS with DO, AD, and an Extended DNS Error
     * 29 that says where it is from.
     *
     * @param name the name asked, in its case
     */
    public byte[] response(Name name, int type) {
        final long ttl = ttl();
        final MessageWriter writer = new MessageWriter(MessageLayout.MAX_MESSAGE);
        writer.header(0, MessageLayout.QR | MessageLayout.RA | MessageLayout.AD);
        writer.responseCode(responseCode);
        writer.question(name, type, RecordClass.IN);
        writer.edns(
                Edns.of(Edns.PAYLOAD_SIZE, true)
                        .with(EdnsOption.extendedError(ExtendedError.SYNTHESIZED, "")));
        if (answer != null) {
            write(writer, MessageView.ANSWER, name, answer, ttl);
        }
        for (final Stored proof : authority) {
            write(writer, MessageView.AUTHORITY, proof.owner(), proof, ttl);
        }
        return writer.toByteArray();
    }

    private static void write(
            MessageWriter writer, int section, Name owner, Stored stored, long ttl) {
        final Rrset set = stored.valid().set();
        for (final byte[] rdata : set.rdata()) {
            writer.record(section, owner, set.type(), RecordClass.IN, ttl, rdata);
        }
        final byte[] signature = stored.valid().signature().rdata();
        writer.record(section, owner, RecordType.RRSIG, RecordClass.IN, ttl, signature);
    }
}
