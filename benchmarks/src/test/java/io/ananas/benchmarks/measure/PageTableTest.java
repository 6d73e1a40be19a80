package io.ananas.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTableTest {
    @TempDir private Path folder;

    @Test
    void replacesWhatStandsBetweenTheMarks() throws IOException {
        final Path page = folder.resolve("page.md");
        Files.writeString(page, "before\n<!-- table t -->\nold\n<!-- end t -->\nafter\n");
        PageTable.write(page, "t", "| new |\n");
        assertThat(page).hasContent("before\n<!-- table t -->\n| new |\n<!-- end t -->\nafter\n");
        assertThatThrownBy(() -> PageTable.write(page, "other", "x"))
                .hasMessageContaining("found no lines '<!-- table other -->'");
    }

    @Test
    void spreadsAreMediansAndExtremes() {
        assertThat(Spread.of(3, 1, 2)).isEqualTo(new Spread(2, 1, 3, 3));
        assertThatThrownBy(() -> Spread.of()).isInstanceOf(IllegalArgumentException.class);
    }
}
