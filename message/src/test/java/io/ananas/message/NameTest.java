package io.ananas.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameTest {
    private static final String LABEL_63 = "a".repeat(63);
    private static final String LONGEST =
            LABEL_63 + "." + LABEL_63 + "." + LABEL_63 + "." + "a".repeat(61);

    @ParameterizedTest
    @CsvSource({
        "example.com, example.com., 2, 13",
        "example.com., example.com., 2, 13",
        "WWW.Example.COM, WWW.Example.COM., 3, 17",
        "., ., 0, 1",
        "a\\.b.c, a\\.b.c., 2, 7",
        "\\097\\000\\255.x, a\\000\\255.x., 2, 7",
        "'\\ x', '\\032x.', 1, 4",
        "\\\\.\\\".\\(.\\).\\;.\\@.\\$, \\\\.\\\".\\(.\\).\\;.\\@.\\$., 7, 15",
        "*.x, *.x., 2, 5",
        "_dns-1.x, _dns-1.x., 2, 10",
    })
    void textToNameAndBack(String text, String canonical, int labels, int length) {
        final Name name = Name.of(text);
        assertThat(name).hasToString(canonical);
        assertThat(name.labelCount()).isEqualTo(labels);
        assertThat(name.length()).isEqualTo(length);
        assertThat(Name.of(name.toString()).wire()).isEqualTo(name.wire());
        assertThat(Name.ofWire(name.wire(), 0)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", ".a", "a..b", "a.b..", "a\\", "a\\2", "a\\25", "\\256.x"})
    void textThatIsNoName(String text) {
        assertThatThrownBy(() -> Name.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("\"" + text + "\" is no domain name: ");
    }

    @Test
    void errorsSayWhatIsWrong() {
        assertThatThrownBy(() -> Name.of("a." + LABEL_63 + "b"))
                .hasMessageContaining("a label of 64 octets, and one has 1 to 63");
        assertThatThrownBy(() -> Name.of("caf\u00e9.example"))
                .hasMessageContaining("character 233 at position 3")
                .hasMessageContaining("xn--");
        assertThatThrownBy(() -> Name.of("a b")).hasMessageContaining("character 32 at position 1");
        assertThatThrownBy(() -> Name.of(LONGEST + "a")).hasMessageContaining("256 octets");
        assertThatThrownBy(() -> Name.of("x").child("a.b")).hasMessageContaining("one label");
        assertThatThrownBy(() -> Name.of("a").append(Name.of(LONGEST)))
                .hasMessageContaining("257 octets");
    }

    @Test
    void theLongestNameIsLegal() {
        assertThat(Name.of(LONGEST).length()).isEqualTo(255);
        assertThat(Name.of("a.".repeat(127)).length()).isEqualTo(255);
        assertThat(Name.of("a.".repeat(127)).labelCount()).isEqualTo(127);
        assertThat(Name.of(LONGEST).compareTo(Name.of("a.".repeat(127)))).isNotZero();
    }

    @Test
    void onlyAsciiLettersFoldTheirCase() {
        assertThat(Name.of("aZ[{.x")).isEqualTo(Name.of("Az[{.X"));
        assertThat(Name.of("aZ.x")).hasSameHashCodeAs(Name.of("Az.X"));
        assertThat(Name.of("[.x")).isNotEqualTo(Name.of("{.x"));
        assertThat(Name.of("@.x".replace("@", "\\@"))).isNotEqualTo(Name.of("`.x"));
        assertThat(Name.of("\\193.x")).isNotEqualTo(Name.of("\\225.x"));
        assertThat(Name.of("A\\193Z.x").toLowerCase()).hasToString("a\\193z.x.");
        final Name lower = Name.of("a.b");
        assertThat(lower.toLowerCase()).isSameAs(lower);
        // A dot within a label is no label boundary.
        assertThat(Name.of("a\\.b")).isNotEqualTo(Name.of("a.b"));
    }

    @Test
    void aLengthOctetIsNoLetter() {
        // A label of 65 octets would be "A"; labels end at 63, so lengths never fold.
        assertThat(Name.of("a".repeat(63))).isNotEqualTo(Name.of("a".repeat(31)));
    }

    @Test
    void familyTree() {
        final Name name = Name.of("www.Example.com");
        assertThat(name.parent()).hasToString("Example.com.");
        assertThat(Name.of("com").parent()).isSameAs(Name.ROOT);
        assertThat(name.suffix(0)).isSameAs(Name.ROOT);
        assertThat(name.suffix(2)).hasToString("Example.com.");
        assertThat(name.suffix(3)).isSameAs(name);
        assertThat(Name.of("Example.com").child("a\\.b")).hasToString("a\\.b.Example.com.");
        assertThat(Name.of("a.b").append(Name.of("c"))).hasToString("a.b.c.");
        assertThat(Name.of("*.a").isWildcard()).isTrue();
        assertThat(Name.of("**.a").isWildcard()).isFalse();
        assertThat(Name.ROOT.isWildcard()).isFalse();
        assertThatThrownBy(Name.ROOT::parent).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> name.suffix(4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> name.suffix(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "www.example.com, example.com, true",
        "example.com, EXAMPLE.com, true",
        "example.com, ., true",
        "., ., true",
        "., com, false",
        "badexample.com, example.com, false",
        "example.com, www.example.com, false",
        // the octets of "\001b" at the end of a label look like a label "b"
        "a\\001b, b, false",
        "x.a\\001b.c, b.c, false",
    })
    void bailiwick(String name, String ancestor, boolean within) {
        assertThat(Name.of(name).isSubdomainOf(Name.of(ancestor))).isEqualTo(within);
    }

    @Test
    void canonicalOrderOfRfc4034() {
        final List<Name> ordered =
                Stream.of(
                                "example",
                                "a.example",
                                "yljkjljk.a.example",
                                "Z.a.example",
                                "zABC.a.EXAMPLE",
                                "z.example",
                                "\\001.z.example",
                                "*.z.example",
                                "\\200.z.example")
                        .map(Name::of)
                        .toList();
        final List<Name> shuffled = new ArrayList<>(ordered);
        Collections.shuffle(shuffled, new Random(4034));
        Collections.sort(shuffled);
        assertThat(shuffled).isEqualTo(ordered);
        assertThat(Name.ROOT.compareTo(Name.of("a"))).isNegative();
        assertThat(Name.of("A.b").compareTo(Name.of("a.B"))).isZero();
    }

    @Test
    void wireThatIsNoName() {
        for (final byte[] wire :
                List.of(
                        new byte[0],
                        new byte[] {1, 'a'},
                        new byte[] {2, 'a', 0},
                        new byte[] {(byte) 0xc0, 0},
                        new byte[] {0x40, 0})) {
            assertThatThrownBy(() -> Name.ofWire(wire, 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> Name.ofWire(new byte[1], -1))
                .isInstanceOf(IllegalArgumentException.class);
        final byte[] long256 = new byte[256];
        for (int at = 0; at < 254; at += 2) {
            long256[at] = 1;
        }
        assertThat(Name.ofWire(long256, 0).length()).isEqualTo(255);
        long256[252] = 2;
        assertThatThrownBy(() -> Name.ofWire(long256, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anyOctetSurvivesText() {
        final byte[] wire = new byte[1 + 1 + 1];
        wire[0] = 1;
        for (int octet = 0; octet < 256; octet++) {
            wire[1] = (byte) octet;
            final Name name = Name.ofWire(wire, 0);
            assertThat(Name.of(name.toString()).wire()).as("octet %d", octet).isEqualTo(wire);
        }
    }

    @Test
    void wireIsACopy() {
        final Name name = Name.of("a.b");
        name.wire()[1] = 'x';
        assertThat(name).hasToString("a.b.");
        final byte[] target = new byte[7];
        assertThat(name.copyTo(target, 1)).isEqualTo(6);
        assertThat(target).containsExactly(0, 1, 'a', 1, 'b', 0, 0);
    }
}
