package io.ananas.recursor;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Reads a hosts file: an address and its names per line. */
final class HostsFile {
    private HostsFile() {}

    static List<RRset> parse(String text, long ttl) {
        final List<RRset> sets = new ArrayList<>();
        final List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            final String line = lines.get(i).replaceFirst("#.*", "").strip();
            if (!line.isEmpty()) {
                try {
                    addLine(line.split("\\s+"), ttl, sets);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(
                            "line %d of the hosts file: %s".formatted(i + 1, e.getMessage()), e);
                }
            }
        }
        return sets;
    }

    private static void addLine(String[] words, long ttl, List<RRset> sets) {
        if (words.length < 2) {
            throw new IllegalArgumentException(
                    "expected an address and at least one name, found \"%s\"".formatted(words[0]));
        }
        final byte[] address = InetAddress.ofLiteral(words[0].replaceFirst("%.*", "")).getAddress();
        final int type = address.length == 4 ? RecordType.A : RecordType.AAAA;
        for (int i = 1; i < words.length; i++) {
            sets.add(RRset.of(Name.of(words[i]), type, ttl, address));
        }
        sets.add(RRset.of(reverse(address), RecordType.PTR, ttl, Name.of(words[1]).wire()));
    }

    /** The name in in-addr.arpa or ip6.arpa of an address. */
    static Name reverse(byte[] address) {
        final StringBuilder text = new StringBuilder();
        for (int i = address.length - 1; i >= 0; i--) {
            if (address.length == 4) {
                text.append(address[i] & 0xff).append('.');
            } else {
                final String hex = HexFormat.of().toHexDigits(address[i]);
                text.append(hex.charAt(1)).append('.').append(hex.charAt(0)).append('.');
            }
        }
        return Name.of(text.append(address.length == 4 ? "in-addr.arpa" : "ip6.arpa").toString());
    }
}
