package io.ananas.benchmarks.measure;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of octets as people write it: {@code 4096}, {@code 256MiB}, {@code 1.5GiB}.
 *
 * @param octets 0 or more
 */
public record ByteSize(long octets) {
    private static final Pattern FORM =
            Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([kmgtp]i?)?b?", Pattern.CASE_INSENSITIVE);

    /**
     * Reads a size; suffixes KiB to PiB count by 1,024, KB to PB by 1,000.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    public static ByteSize of(String text) {
        final Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "found '" + text + "', expected a size like 64MiB or 1.5GiB");
        }
        final String unit = matcher.group(2) == null ? "" : matcher.group(2);
        final int base = unit.length() == 2 ? 1_024 : 1_000;
        final int power =
                unit.isEmpty() ? 0 : 1 + "KMGTP".indexOf(Character.toUpperCase(unit.charAt(0)));
        final BigDecimal octets =
                new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(base).pow(power));
        if (octets.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("found '" + text + "', expected less than 8 EiB");
        }
        return new ByteSize(octets.longValue());
    }

    /** In the largest binary unit that leaves a number of at least 1, two decimals at most. */
    @Override
    public String toString() {
        if (octets < 1_024) {
            return octets + " B";
        }
        final int power = Math.min(5, (63 - Long.numberOfLeadingZeros(octets)) / 10);
        final double value = octets / Math.pow(1_024, power);
        final String digits = String.format(Locale.ROOT, "%.2f", value).replaceAll("\\.?0+$", "");
        return digits + " " + "KMGTP".charAt(power - 1) + "iB";
    }

    /** For command lines. */
    public static final class Converter implements ITypeConverter<ByteSize> {
        @Override
        public ByteSize convert(String text) {
            try {
                return of(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
