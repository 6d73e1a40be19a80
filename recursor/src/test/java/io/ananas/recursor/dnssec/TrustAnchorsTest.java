package io.ananas.recursor.dnssec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrustAnchorsTest {
    /** The root's KSK-2017, as it stands in the root zone. */
    private static final String KSK_2017 =
            ". 172800 IN DNSKEY 257 3 8 AwEAAaz/tAm8yTn4Mfeh5eyI96WSVexTBAvkMgJzkKTOiW1vkIbzxeF3"
                    + "+/4RgWOq7HrxRixHlFlExOLAJr5emLvN7SWXgnLh4+B5xQlNVz8Og8kvArMtNROxVQuCaSnIDdD5"
                    + "LKyWbRd2n9WGe2R8PzgCmr3EgVLrjyBxWezF0jLHwVN8efS3rCj/EWgvIWgb9tarpVUDK/b58Da+"
                    + "sqqls3eNbuv7pr+eoZG+SrDK6nWeL3c6H5Apxz7LjVc1uTIdsIXxuOLYA4/ilBmSVIzuDWfdRUfh"
                    + "HdY6+cn8HFRm+2hM8AnXGXws9555KrUB5qihylGa8subX2Nn6UwNR1AkUTV74bU=";

    /** The root's KSK-2024. */
    private static final String KSK_2024 =
            ". 172800 IN DNSKEY 257 3 8 AwEAAa96jeuknZlaeSrvyAJj6ZHv28hhOKkx3rLGXVaC6rXTsDc449/cidltpkyGwCJNnOAlFNKF"
                    + "2jBosZBU5eeHspaQWOmOElZsjICMQMC3aeHbGiShvZsx4wMYSjH8e7Vrhbu6irwCzVBApESjbUdp"
                    + "WWmEnhathWu1jo+siFUiRAAxm9qyJNg/wOZqqzL/dL/q8PkcRU5oUKEpUge71M3ej2/7CPqpdVwu"
                    + "MoTvoB+ZOT4YeGyxMvHmbrxlFzGOHOijtzN+u1TQNatX2XBuzZNQ1K+s2CXkPIZo7s6JgZyvaBev"
                    + "YtxPvYLw4z9mR7K2vaF18UYH9Z9GNUUeayffKC73PYc=";

    @Test
    void theRootsKeysAreBuiltIn() {
        final TrustPoint point = TrustAnchors.root().at(Name.ROOT);
        final TrustPoint keys = TrustAnchors.of(List.of(KSK_2017, KSK_2024)).at(Name.ROOT);
        assertThat(point).isNotNull();
        assertThat(keys).isNotNull();
        if (point != null && keys != null) {
            final List<DelegationSigner> signers = point.delegationSigners();
            assertThat(signers).extracting(DelegationSigner::keyTag).containsExactly(20326, 38696);
            for (int i = 0; i < 2; i++) {
                assertThat(signers.get(i).matches(Name.ROOT, keys.keys().get(i))).isTrue();
                assertThat(signers.get(i).matches(Name.ROOT, keys.keys().get(1 - i))).isFalse();
            }
        }
    }

    @Test
    void listsAndFilesOfDsAndDnskey(@TempDir Path directory) throws IOException {
        final Path file = directory.resolve("anchors");
        Files.writeString(
                file,
                """
                ; the root
                . 3600 IN DS 20326 8 2 (
                    E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D )
                example.test. DS 1 13 2 0000000000000000000000000000000000000000000000000000000000000000
                %s
                """
                        .formatted(KSK_2017));
        final TrustAnchors anchors = TrustAnchors.file(file);
        assertThat(anchors.zones()).containsExactlyInAnyOrder(Name.ROOT, Name.of("example.test"));
        assertThat(anchors.closestAnchor(Name.of("a.b.example.test")))
                .isEqualTo(Name.of("example.test"));
        assertThat(anchors.closestAnchor(Name.of("example.test")))
                .isEqualTo(Name.of("example.test"));
        assertThat(anchors.closestAnchor(Name.of("test"))).isEqualTo(Name.ROOT);
        assertThat(TrustAnchors.none().closestAnchor(Name.of("test"))).isNull();
        assertThat(anchors.and(TrustAnchors.root()).zones()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello",
                ". IN DS 20326 8",
                ". IN A 192.0.2.1",
                ". IN DNSKEY 256 2 8 AwEAAaz/tAm8",
                ". IN DNSKEY 385 3 8 AwEAAaz/tAm8",
            })
    void anythingElseIsRefused(String line) {
        assertThatThrownBy(() -> TrustAnchors.of(List.of(line)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("trust anchor");
    }
}
