package io.ananas.server;

import io.ananas.message.Name;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values as people write them, in the file and on the command line alike. What does not fit throws
 * an IllegalArgumentException whose message says what was expected.
 */
final class ConfigValues {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*([KMGT]i?)?B?");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h)");
    private static final String UNITS = "KMGT";

    private ConfigValues() {}

    /** Octets: {@code 256MiB}, {@code 1GiB}, {@code 4096}; K, M, G, T are powers of 1,024. */
    static long size(String text) {
        final Matcher matcher = SIZE.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a size such as 256MiB or 1GiB");
        }
        final long number = Long.parseLong(matcher.group(1));
        final String unit = matcher.group(2);
        final int shift = unit == null ? 0 : 10 * (1 + UNITS.indexOf(unit.charAt(0)));
        if (shift > 0 && number >= 1L << (62 - shift)) {
            throw new IllegalArgumentException("a size of less than 4 EiB");
        }
        return number << shift;
    }

    /** {@code 256 MiB}, in the largest unit that has no fraction. */
    static String describeSize(long octets) {
        int unit = 0;
        long number = octets;
        while (unit < UNITS.length() && number != 0 && number % 1024 == 0) {
            number /= 1024;
            unit++;
        }
        return unit == 0 ? number + " B" : number + " " + UNITS.charAt(unit - 1) + "iB";
    }

    static Duration duration(String text) {
        final Matcher matcher = DURATION.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a time such as 500ms, 10s, 5m or 1h");
        }
        final long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    static boolean bool(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default -> throw new IllegalArgumentException("true or false");
        };
    }

    static int integer(String text, int least, int most) {
        final String expected = "a number from %d to %d".formatted(least, most);
        try {
            final int number = Integer.parseInt(text.strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expected, e);
        }
        throw new IllegalArgumentException(expected);
    }

    /** Where to listen: an IP address, with port 5300 if none is given. */
    static InetSocketAddress listener(String text) {
        return address(text, Configuration.DEFAULT_PORT, ConfigValues::literal);
    }

    /** Where to manage the server: an IP address, with port 5380 if none is given. */
    static InetSocketAddress admin(String text) {
        return address(text, Configuration.DEFAULT_ADMIN_PORT, ConfigValues::literal);
    }

    /** A domain name. */
    static Name name(String text) {
        try {
            return Name.of(text.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("a domain name such as example.com", e);
        }
    }

    /** A server that is given by its IP address, such as {@code 192.0.2.1@5353}. */
    static InetSocketAddress server(String text, int defaultPort) {
        return address(text, defaultPort, ConfigValues::literal);
    }

    /** A server to ask: an IP address or a host that the system knows, with port 53 by default. */
    static InetSocketAddress upstream(String text) {
        return address(text, Configuration.DNS_PORT, ConfigValues::host);
    }

    /**
     * {@code 192.0.2.1:53}, {@code 192.0.2.1}, {@code [2001:db8::1]:53}, {@code 2001:db8::1};
     * {@code @} will do for the last colon.
     */
    private static InetSocketAddress address(
            String text, int defaultPort, Function<String, InetAddress> host) {
        final String t = text.strip();
        final int split = portSeparator(t);
        final String left = split < 0 ? t : t.substring(0, split);
        final boolean bracketed = left.startsWith("[") && left.endsWith("]");
        final int port = split < 0 ? defaultPort : integer(t.substring(split + 1), 0, 65_535);
        final String name = bracketed ? left.substring(1, left.length() - 1) : left;
        try {
            return new InetSocketAddress(host.apply(name), port);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "an address such as 127.0.0.1:%1$d or [::1]:%1$d".formatted(defaultPort), e);
        }
    }

    private static InetAddress literal(String name) {
        return name.equals("localhost")
                ? InetAddress.getLoopbackAddress()
                : InetAddress.ofLiteral(name);
    }

    private static InetAddress host(String name) {
        try {
            return literal(name);
        } catch (IllegalArgumentException notLiteral) {
            try {
                return InetAddress.getAllByName(name)[0];
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException(e);
            }
        }
    }

    private static int portSeparator(String text) {
        final int at = text.lastIndexOf('@');
        if (at >= 0) {
            return at;
        }
        final int colon = text.lastIndexOf(':');
        final boolean bareIpv6 = colon >= 0 && text.indexOf(':') != colon && !text.contains("]");
        return bareIpv6 || text.endsWith("]") ? -1 : colon;
    }
}
