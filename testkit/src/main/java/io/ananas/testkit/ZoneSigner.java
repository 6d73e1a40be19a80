package io.ananas.testkit;

import io.ananas.testkit.SignedTree.Kind;
import io.ananas.testkit.SignedTree.Zone;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Signs the zones of a {@link SignedTree} with BIND's tools, and breaks what is to be broken. */
final class ZoneSigner {
    private static final String SIGN = "dnssec-signzone";
    private static final String KEYGEN = "dnssec-keygen";

    private final Path directory;
    private String anchor = "";

    /**
     * @param text its records
     * @param delegationSigner its DS records, empty if it has none
     */
    record Signed(String text, String delegationSigner) {}

    ZoneSigner(Path directory) {
        this.directory = directory;
        final String path = System.getenv("PATH");
        if (path == null
                || Stream.of(path.split(File.pathSeparator))
                        .noneMatch(place -> Files.isExecutable(Path.of(place, SIGN)))) {
            throw PeerProcess.absent(
                    SIGN
                            + " is not installed, and this test needs it; on Debian: apt-get install"
                            + " bind9-utils",
                    "true".equals(System.getenv("CI")));
        }
    }

    /** The DS record of the zone that was signed last. */
    String anchor() {
        return anchor;
    }

    Signed sign(Zone zone, String text) throws IOException {
        final String origin = zone.name().equals(".") ? "." : zone.name() + ".";
        final String whole = "$ORIGIN " + origin + "\n" + text;
        if (zone.algorithm().isEmpty()) {
            return new Signed(whole, "");
        }
        final String file = zone.name().equals(".") ? "root" : zone.name();
        Files.writeString(directory.resolve(file), whole);
        run(KEYGEN, "-q", "-a", zone.algorithm(), "-f", "KSK", origin);
        run(KEYGEN, "-q", "-a", zone.algorithm(), origin);
        final List<String> command = new ArrayList<>(List.of(SIGN, "-q", "-P", "-S", "-o", origin));
        command.addAll(zone.options());
        command.addAll(
                switch (zone.kind()) {
                    case EXPIRED -> List.of("-s", "now-40d", "-e", "now-10d");
                    case FUTURE -> List.of("-s", "now+10d", "-e", "now+40d");
                    default -> List.of("-s", "now-1d", "-e", "now+30d");
                });
        command.addAll(List.of("-O", "full", "-f", file + ".signed", file));
        run(command.toArray(String[]::new));
        final String signed = Files.readString(directory.resolve(file + ".signed"));
        final String ds = delegationSigner(origin);
        if (zone.name().equals(".")) {
            anchor = ds.strip().replaceAll("\\s+", " ");
        }
        return new Signed(broken(zone.kind(), signed, whole), brokenDs(zone.kind(), ds));
    }

    private String delegationSigner(String origin) throws IOException {
        return Files.readAllLines(directory.resolve("dsset-" + origin)).stream()
                .map(line -> joined(line) + "\n")
                .collect(Collectors.joining());
    }

    /** The digest of a DS record is written with spaces in it. */
    private static String joined(String line) {
        final String[] words = line.strip().split("\\s+", -1);
        final StringBuilder text = new StringBuilder();
        int fixed = 0;
        while (!words[fixed].equals("DS")) {
            fixed++;
        }
        fixed += 4;
        for (int i = 0; i < words.length; i++) {
            text.append(words[i]).append(i < fixed ? " " : "");
        }
        return text.toString();
    }

    private static String broken(Kind kind, String signed, String unsigned) {
        return switch (kind) {
            case NO_SIGNATURES -> unsigned;
            case FORGED -> signed.replace("192.0.2.1\n", "192.0.2.99\n");
            case NO_DENIALS ->
                    signed.lines()
                            .filter(line -> !line.contains("\tNSEC3\t"))
                            .filter(line -> !line.contains("RRSIG\tNSEC3 "))
                            .collect(Collectors.joining("\n"));
            default -> signed;
        };
    }

    private static String brokenDs(Kind kind, String ds) {
        return switch (kind) {
            case NO_DS -> "";
            case WRONG_DS -> {
                final char last = ds.strip().charAt(ds.strip().length() - 1);
                yield ds.strip().substring(0, ds.strip().length() - 1)
                        + (last == '0' ? '1' : '0')
                        + "\n";
            }
            default -> ds;
        };
    }

    private void run(String... command) throws IOException {
        final Path log = directory.resolve("log");
        final Process process =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            if (process.waitFor() != 0) {
                throw new AssertionError(
                        "%s failed%n%s"
                                .formatted(String.join(" ", command), Files.readString(log)));
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
