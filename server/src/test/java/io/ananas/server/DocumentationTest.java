package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.recursor.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every configuration in the documentation is accepted, and every local link leads somewhere. */
class DocumentationTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#]+)[)#]");

    @TempDir private Path directory;

    @Test
    void configurationsAreAccepted() throws Exception {
        int examples = 0;
        for (Path page : pages()) {
            final Matcher yaml = YAML.matcher(Files.readString(page));
            while (yaml.find()) {
                final Path file = directory.resolve("example" + examples++ + ".yaml");
                Files.writeString(file, yaml.group(1));
                assertThat(ConfigurationReader.read(file, Configuration.defaults()))
                        .as("%s: %s", page, yaml.group(1))
                        .isNotNull();
            }
        }
        assertThat(examples).isPositive();
    }

    @Test
    void linksLeadSomewhere() throws Exception {
        final List<String> dead = new ArrayList<>();
        for (Path page : pages()) {
            final Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                final Path parent = page.getParent();
                if (parent != null && !Files.exists(parent.resolve(link.group(1)))) {
                    dead.add(ROOT.relativize(page) + " -> " + link.group(1));
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    /** Each budget of a question has its key and its counter. */
    @Test
    void budgetsAreConfigurableAndCounted() throws Exception {
        final Pattern row =
                Pattern.compile(
                        "\\| `(.*)` \\| .* \\| `(recursion|reasons|validation)`, `(.*)` \\|");
        final Matcher matcher =
                row.matcher(Files.readString(ROOT.resolve("docs/configuration.md")));
        final List<String> counted = new ArrayList<>();
        while (matcher.find()) {
            counted.add(matcher.group(3));
            final String[] keys = matcher.group(1).split("`, `", -1);
            final int dot = keys[0].indexOf('.');
            for (String key : keys) {
                final String value =
                        key.equals("timeout") ? "4s" : key.contains("bogus") ? "77" : "3";
                final String path =
                        dot < 0 || key.contains(".") ? key : keys[0].substring(0, dot + 1) + key;
                final Path file = directory.resolve(path + ".yaml");
                Files.writeString(
                        file,
                        "resolver: {"
                                + path.replace(".", ": {")
                                + ": "
                                + value
                                + "}"
                                + (path.contains(".") ? "}" : ""));
                assertThat(ConfigurationReader.read(file, Configuration.defaults()))
                        .as(path)
                        .isNotEqualTo(Configuration.defaults());
            }
        }
        for (Event event : Event.values()) {
            if (event.name().startsWith("LIMIT_")) {
                assertThat(counted).contains(event.label());
            }
        }
        assertThat(counted)
                .contains("out_of_budget", "failed_checks", "unsupported_nsec3_iterations");
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> top = Files.list(ROOT)) {
            return Stream.concat(docs, top)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        }
    }
}
