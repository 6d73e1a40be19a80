package io.ananas.testkit;

import io.ananas.message.Name;
import java.util.List;
import java.util.Random;

/**
 * Random names: mostly such as hosts have, some with any octets in them, some of extreme length.
 */
final class RandomNames {
    private static final List<String> SUFFIXES =
            List.of(
                    "com",
                    "example.com",
                    "example.test",
                    "Example.Org",
                    "co.uk",
                    "2.0.192.in-addr.arpa",
                    "a.very.deep.zone.with.many.labels.example.net");
    private static final String HOST_OCTETS = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final int MAX_NAME = 255;
    private static final int MAX_LABEL = 63;

    private final Random random;

    RandomNames(Random random) {
        this.random = random;
    }

    Name next() {
        final int kind = random.nextInt(100);
        if (kind == 0) {
            return Name.ROOT;
        }
        if (kind < 4) {
            return longest();
        }
        Name name = Name.of(SUFFIXES.get(random.nextInt(SUFFIXES.size())));
        for (int labels = random.nextInt(3); labels >= 0; labels--) {
            name = below(name);
        }
        return name;
    }

    /** A child of {@code parent}; {@code parent} itself where that has no room for one. */
    Name below(Name parent) {
        final int room = Math.min(MAX_LABEL, MAX_NAME - parent.length() - 1);
        return room < 1 ? parent : label(1 + random.nextInt(Math.min(room, 14))).append(parent);
    }

    /** A name of 200 to 255 octets, often of just 255. */
    private Name longest() {
        final int wanted = random.nextBoolean() ? MAX_NAME : 200 + random.nextInt(56);
        Name name = Name.ROOT;
        while (wanted - name.length() > 1) {
            final int room = wanted - name.length() - 1;
            name = label(room <= MAX_LABEL ? room : 1 + random.nextInt(MAX_LABEL - 1)).append(name);
        }
        return name;
    }

    private Name label(int length) {
        final byte[] wire = new byte[length + 2];
        wire[0] = (byte) length;
        final boolean anyOctets = random.nextInt(20) == 0;
        final boolean mixedCase = random.nextInt(4) == 0;
        for (int i = 1; i <= length; i++) {
            int octet = HOST_OCTETS.charAt(random.nextInt(HOST_OCTETS.length()));
            if (anyOctets) {
                octet = random.nextInt(256);
            } else if (mixedCase && random.nextBoolean()) {
                octet = Character.toUpperCase(octet);
            }
            wire[i] = (byte) octet;
        }
        return Name.ofWire(wire, 0);
    }
}
