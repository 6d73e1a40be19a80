package io.ananas.server;

import io.ananas.message.Memory;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import io.ananas.message.RecordType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the server says of itself in class CHAOS (RFC 4892): {@code version.bind}, {@code
 * version.server}, {@code id.server}, {@code hostname.bind}, as TXT. Immutable.
 */
final class Identity {
    private static final int MAX_STRING = 255;

    private final byte[][] names;
    private final byte[] @Nullable [] texts;

    /**
     * @param version empty to keep silent
     * @param id empty to keep silent
     */
    @SuppressWarnings("NullAway") // arrays of nullable arrays are beyond it
    Identity(String version, String id) {
        final byte[] v = text(version);
        final byte[] n = text(id);
        names =
                new byte[][] {
                    Name.of("version.bind.").wire(),
                    Name.of("version.server.").wire(),
                    Name.of("id.server.").wire(),
                    Name.of("hostname.bind.").wire()
                };
        texts = new byte[][] {v, v, n, n};
    }

    private static byte @Nullable [] text(String value) {
        if (value.isEmpty()) {
            return null;
        }
        final byte[] octets = value.getBytes(StandardCharsets.UTF_8);
        final byte[] cut = Arrays.copyOf(octets, Math.min(MAX_STRING, octets.length));
        final byte[] rdata = new byte[1 + cut.length];
        rdata[0] = (byte) cut.length;
        System.arraycopy(cut, 0, rdata, 1, cut.length);
        return rdata;
    }

    /** The TXT rdata for a question of class CHAOS; null if it is not answered. */
    byte @Nullable [] answer(QueryView query) {
        if (query.type() != RecordType.TXT && query.type() != RecordType.ANY) {
            return null;
        }
        for (int i = 0; i < names.length; i++) {
            if (matches(names[i], query)) {
                return texts[i];
            }
        }
        return null;
    }

    private static boolean matches(byte[] name, QueryView query) {
        if (query.nameLength() != name.length) {
            return false;
        }
        final long asked = query.nameAddress();
        for (int i = 0; i < name.length; i++) {
            final int octet = Memory.getUnsignedByte(asked + i);
            final int lower = octet >= 'A' && octet <= 'Z' ? octet + 32 : octet;
            if (lower != name[i]) {
                return false;
            }
        }
        return true;
    }
}
