package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** {@code docs/cases.md} names every case, and tests that exist. */
class CasesTableTest {
    private static final Path HOME = home();
    private static final Path CASES = HOME.resolve("../shared/cases/handed.tsv");
    private static final Pattern METHOD =
            Pattern.compile("@Test(?:\\s*@\\w+[^\\n]*)*\\s+void (b\\d{3})\\(");

    private record Row(String id, List<String> tests, String state) {}

    private static Path home() {
        Path path = Path.of("").toAbsolutePath();
        while (!Files.exists(path.resolve("mvnw"))) {
            path = Objects.requireNonNull(path.getParent(), "no mvnw above the working directory");
        }
        return path;
    }

    private static List<Row> rows() throws IOException {
        final List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(HOME.resolve("docs/cases.md"))) {
            if (line.startsWith("| B")) {
                final String[] cells = line.split("\\|", -1);
                final String tests = cells[2].strip().replace("`", "");
                rows.add(
                        new Row(
                                cells[1].strip(),
                                tests.equals("-") ? List.of() : List.of(tests.split(", ")),
                                cells[3].strip()));
            }
        }
        return rows;
    }

    private static List<Path> tests(String name) throws IOException {
        try (Stream<Path> files = Files.walk(HOME, 10)) {
            return files.filter(f -> f.toString().contains("src/test/java"))
                    .filter(f -> f.getFileName().toString().matches(name + "\\.java"))
                    .toList();
        }
    }

    @Test
    void everyHandedCaseIsInTheTable() throws IOException {
        if (!Files.exists(CASES)) {
            assertThat(System.getenv("CI"))
                    .as("the collection of cases must be there in CI: %s", CASES)
                    .isNotEqualTo("true");
            Assumptions.abort("the collection of cases is not here: " + CASES);
        }
        final List<String> handed =
                Files.readAllLines(CASES).stream()
                        .skip(1)
                        .map(line -> line.substring(0, line.indexOf('\t')))
                        .toList();
        assertThat(rows()).extracting(Row::id).containsExactlyElementsOf(handed);
    }

    @Test
    void whatPassesHasATestThatExists() throws IOException {
        for (Row row : rows()) {
            assertThat(row.state())
                    .as(row.id())
                    .isIn("passes", "waits for policy", "waits for transports");
            assertThat(row.tests().isEmpty()).as(row.id()).isEqualTo(!row.state().equals("passes"));
            for (String test : row.tests()) {
                final String[] parts = test.split("#", 2);
                final List<Path> files = tests(parts[0]);
                assertThat(files).as(test).hasSize(1);
                assertThat(Files.readString(files.getFirst()))
                        .as(test)
                        .containsPattern("@Test\\s+void " + parts[1] + "\\(");
            }
        }
    }

    @Test
    void everyTestOfACaseIsInTheTable() throws IOException {
        final Set<String> listed = new TreeSet<>();
        for (Row row : rows()) {
            listed.addAll(row.tests());
        }
        for (Path file : tests("Handed\\w+Test")) {
            final String name = file.getFileName().toString().replace(".java", "");
            final Matcher methods = METHOD.matcher(Files.readString(file));
            while (methods.find()) {
                final String id = methods.group(1).toUpperCase(Locale.ROOT);
                assertThat(listed).as(id).contains(name + "#" + methods.group(1));
            }
        }
    }
}
