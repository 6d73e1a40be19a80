package io.ananas.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.Edns;
import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.testkit.DnsMessage.Question;
import java.util.List;
import org.junit.jupiter.api.Test;

class CanonicalMessageTest {
    private static DnsMessage message(String answer, String authority) {
        return new DnsMessage(
                1,
                MessageLayout.QR,
                0,
                new Question(Name.of("a.test"), 1, 1),
                ResourceRecord.parse(answer),
                ResourceRecord.parse(authority),
                List.of(),
                null);
    }

    private static String diff(String expected, String actual) {
        return CanonicalMessage.diff(message(expected, ""), message(actual, ""));
    }

    @Test
    void caseAndOrderWithinAnRrsetAreFree() {
        assertThat(
                        diff(
                                "a.test. 1 A 192.0.2.1\na.test. 1 A 192.0.2.2",
                                "A.TEST. 1 A 192.0.2.2\nA.test. 1 A 192.0.2.1"))
                .isEmpty();
        assertThat(diff("a.test. 1 CNAME b.test.", "a.test. 1 CNAME B.test.")).isEmpty();
    }

    @Test
    void everyOtherDifferenceIsTold() {
        assertThat(diff("a.test. 1 A 192.0.2.1", "")).contains("a.test. IN A is missing");
        assertThat(diff("", "a.test. 1 A 192.0.2.1")).contains("a.test. IN A is too many");
        assertThat(diff("a.test. 1 A 192.0.2.1", "a.test. 2 A 192.0.2.1"))
                .isEqualTo(
                        "answer, a.test. IN A: expected a.test. 1 IN A 192.0.2.1, found it with TTL"
                                + " 2");
        assertThat(diff("a.test. 1 A 192.0.2.1", "a.test. 1 A 192.0.2.2"))
                .contains("expected a.test. 1 IN A 192.0.2.1, found [a.test. 1 IN A 192.0.2.2]");
        assertThat(diff("a.test. 1 A 192.0.2.1", "a.test. 1 A 192.0.2.1\na.test. 1 A 192.0.2.1"))
                .contains("expected 1 records, found 2");
        assertThat(
                        diff(
                                "a.test. 1 CNAME b.test.\nb.test. 1 A 192.0.2.1",
                                "b.test. 1 A 192.0.2.1\na.test. 1 CNAME b.test."))
                .contains("expected the RRsets as");
        assertThat(diff("a.test. 1 TXT x", "a.test. 1 TXT X")).isNotEmpty();
        assertThat(
                        CanonicalMessage.diff(
                                message("", "a. 1 A 192.0.2.1"), message("a. 1 A 192.0.2.1", "")))
                .contains("answer: a. IN A is too many", "authority: a. IN A is missing");
    }

    @Test
    void headerAndEdns() {
        final DnsMessage one = message("", "");
        final DnsMessage other =
                new DnsMessage(
                        2,
                        MessageLayout.QR | MessageLayout.AA,
                        3,
                        null,
                        List.of(),
                        List.of(),
                        List.of(),
                        Edns.of(1232, true));
        assertThat(CanonicalMessage.diff(one, other))
                .contains(
                        "expected NOERROR, found NXDOMAIN",
                        "expected 0x8000, found 0x8400",
                        "question: expected a.test. IN A, found null",
                        "edns: expected null");
        assertThat(CanonicalMessage.diff(one, one, 0, ttl -> ttl)).isEmpty();
    }

    @Test
    void ttlsAreWhatTheFunctionSays() {
        final DnsMessage fresh = message("a.test. 300 A 192.0.2.1", "");
        final DnsMessage aged = message("a.test. 290 A 192.0.2.1", "");
        final int flags = CanonicalMessage.ALL_FLAGS;
        assertThat(CanonicalMessage.diff(fresh, aged, flags, ttl -> ttl - 10)).isEmpty();
        assertThat(CanonicalMessage.diff(fresh, aged, flags, ttl -> ttl - 9)).isNotEmpty();
    }

    @Test
    void unsoundOctetsAreToldAsSuch() {
        assertThatThrownBy(() -> DnsMessage.parse(new byte[3]))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a message of 3 octets is unsound: fewer than the 12 octets");
    }

    @Test
    void textForPeople() {
        assertThat(message("a.test. 1 A 192.0.2.1", "").toString())
                .contains("NOERROR", "a.test. IN A", "a.test. 1 IN A 192.0.2.1", "edns: none");
    }
}
