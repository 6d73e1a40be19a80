package io.ananas.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistriesTest {
    @Test
    void everyTypeHasATextThatLeadsBack() {
        for (int type = 0; type <= 0xffff; type++) {
            assertThat(RecordType.parse(RecordType.text(type))).isEqualTo(type);
        }
        assertThat(RecordType.text(RecordType.NSAP_PTR)).isEqualTo("NSAP-PTR");
        assertThat(RecordType.text(65300)).isEqualTo("TYPE65300");
        assertThat(RecordType.parse("type1")).isEqualTo(RecordType.A);
        assertThat(RecordType.parse("https")).isEqualTo(65);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "AAAAA", "TYPE", "TYPE65536", "TYPE-1", "TYPE+1", "1"})
    void textOfNoType(String text) {
        assertThatThrownBy(() -> RecordType.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "\"%s\" is no record type; expected a mnemonic such as AAAA, or TYPE0 to"
                                + " TYPE65535",
                        text);
    }

    @Test
    void kindsOfTypes() {
        for (int type = 0; type <= 0xffff; type++) {
            assertThat(RecordType.isDnssec(type)).isEqualTo(type == 46 || type == 47 || type == 50);
            assertThat(RecordType.holdsNames(type)).isEqualTo(RdataLayout.nameCount(type) > 0);
            if (RdataLayout.mayCompress(type)) {
                assertThat(RecordType.holdsNames(type)).isTrue();
                assertThat(type).as("of RFC 1035").isLessThan(RecordType.RP);
            }
        }
        assertThat(RecordType.holdsNames(RecordType.SVCB)).isFalse();
        assertThat(RecordType.holdsNames(RecordType.RRSIG)).isFalse();
        assertThat(RecordType.isMeta(RecordType.OPT)).isTrue();
        assertThat(RecordType.isMeta(RecordType.TSIG)).isTrue();
        assertThat(RecordType.isMeta(RecordType.ANY)).isTrue();
        assertThat(RecordType.isMeta(RecordType.URI)).isFalse();
        assertThat(RecordType.isMeta(RecordType.EUI64)).isFalse();
    }

    @Test
    void classesAndResponseCodes() {
        for (int recordClass = 0; recordClass <= 0xffff; recordClass++) {
            assertThat(RecordClass.parse(RecordClass.text(recordClass))).isEqualTo(recordClass);
        }
        assertThat(RecordClass.parse("chaos")).isEqualTo(RecordClass.CH);
        assertThatThrownBy(() -> RecordClass.parse("INN")).hasMessageContaining("is no class");
        assertThat(ResponseCode.text(3)).isEqualTo("NXDOMAIN");
        assertThat(ResponseCode.text(16)).isEqualTo("BADVERS");
        assertThat(ResponseCode.text(4095)).isEqualTo("RCODE4095");
    }

    @Test
    void extendedErrorsStandByTheirCode() {
        for (final ExtendedError error : ExtendedError.values()) {
            assertThat(ExtendedError.of(error.code())).isSameAs(error);
            assertThat(error.text()).isNotBlank();
        }
        assertThat(ExtendedError.DNSSEC_BOGUS.code()).isEqualTo(6);
        assertThat(ExtendedError.INVALID_DATA.code()).isEqualTo(24);
        assertThat(ExtendedError.of(31)).isNull();
        assertThat(ExtendedError.of(-1)).isNull();
        assertThat(ExtendedError.of(49152)).isNull();
    }
}
