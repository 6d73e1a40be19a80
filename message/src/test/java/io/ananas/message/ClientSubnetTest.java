package io.ananas.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientSubnetTest {
    private static byte[] octets(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "0001 18 00 cb0071, 203.0.113.0/24/0",
        "0001 16 18 cb0070, 203.0.112.0/22/24",
        "0001 20 20 cb007101, 203.0.113.1/32/32",
        "0001 00 00, 0.0.0.0/0/0",
        "0000 00 00, 0.0.0.0/0/0",
        "0002 38 30 20010db8120034, 2001:db8:1200:3400:0:0:0:0/56/48",
        "0002 00 00, 0:0:0:0:0:0:0:0/0/0",
        // an IPv4-mapped address stays one of family 2
        "0002 80 00 00000000000000000000ffffc0000201, 0:0:0:0:0:ffff:c000:201/128/0",
        "0001 01 00 80, 128.0.0.0/1/0",
    })
    void soundOptions(String hex, String text) {
        final byte[] wire = octets(hex);
        final ClientSubnet subnet =
                Objects.requireNonNull(ClientSubnet.parse(wire, 0, wire.length));
        assertThat(subnet).hasToString(text);
        assertThat(subnet.wire()).isEqualTo(wire);
        assertThat(ClientSubnet.parse(wire, 0, wire.length)).isEqualTo(subnet);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0001 18",
                "0001 18 00 cb00", // too few octets
                "0001 18 00 cb007100", // too many
                "0001 16 00 cb0071", // a bit beyond /22
                "0001 17 00 cb0001", // a bit beyond /23
                "0001 21 00 cb00710100", // /33
                "0001 18 21 cb0071", // scope /33
                "0002 81 00 2001000000000000000000000000000000", // /129
                "0003 00 00", // unknown family
                "0000 01 00 00", // family 0 with a prefix
                "0001 00 00 00",
            })
    void malformedOptions(String hex) {
        final byte[] wire = octets(hex);
        assertThat(ClientSubnet.parse(wire, 0, wire.length)).isNull();
    }

    @Test
    void addressesAreCutToThePrefix() throws Exception {
        final InetAddress address = InetAddress.getByName("203.0.113.255");
        assertThat(ClientSubnet.of(address, 22).address().getHostAddress())
                .isEqualTo("203.0.112.0");
        assertThat(ClientSubnet.of(address, 0)).hasToString("0.0.0.0/0/0");
        assertThat(ClientSubnet.of(address, 32).withScope(16)).hasToString("203.0.113.255/32/16");
        final InetAddress v6 = InetAddress.getByName("2001:db8:12ff:ffff::1");
        assertThat(ClientSubnet.of(v6, 40)).hasToString("2001:db8:1200:0:0:0:0:0/40/0");
        assertThatThrownBy(() -> ClientSubnet.of(address, 33))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("source 33");
        assertThatThrownBy(() -> new ClientSubnet(ClientSubnet.IPV6, 24, 0, address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not fit");
    }
}
