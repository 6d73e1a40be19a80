package io.ananas.recursor.dnssec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.recursor.AnswerValidator.Fetcher;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Master;
import org.xbill.DNS.Record;

/** Examples that RFCs print. */
class VectorsTest {
    private static final Fetcher NOTHING = (name, type) -> null;

    /** RFC 5155, appendix A: 12 iterations, salt AABBCCDD. */
    @ParameterizedTest
    @CsvSource({
        "example, 0p9mhaveqvm6t7vbl5lop2u3t2rp3tom",
        "a.example, 35mthgpgcu1qg68fab165klnsnk3dpvl",
        "ai.example, gjeqe526plbf1g8mklp59enfd789njgi",
        "ns1.example, 2t7b4g4vsa5smi47k61mv5bv1a22bojr",
        "ns2.example, q04jkcevqvmu85r014c7dkba38o0ji5r",
        "w.example, k8udemvp1j2f7eg6jebps17vp3n8i58h",
        "*.w.example, r53bq7cc2uvmubfu5ocmm6pers9tk9en",
        "x.w.example, b4um86eghhds6nea196smvmlo4ors995",
        "y.w.example, ji6neoaepv8b5o6k4ev33abha8ht9fgc",
        "x.y.w.example, 2vptu5timamqttgl4luu9kg21e0aor3s",
        "xx.example, t644ebqk9bibcna874givr6joj62mlhv",
        "2t7b4g4vsa5smi47k61mv5bv1a22bojr.example, kohar7mbb8dc2ce8a9qvl8hon4k53uhi"
    })
    void nsec3Hashes(String name, String hash) {
        final byte[] salt = {(byte) 0xaa, (byte) 0xbb, (byte) 0xcc, (byte) 0xdd};
        assertThat(Base32Hex.encode(Nsec3Hash.of(Name.of(name), salt, 12))).isEqualTo(hash);
        final byte[] text = hash.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        assertThat(Base32Hex.decode(text, 0, text.length))
                .isEqualTo(Nsec3Hash.of(Name.of(name), salt, 12));
    }

    /** RFC 8080, section 6.1: both examples for Ed25519. */
    @ParameterizedTest
    @CsvSource({
        "l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=, 3613, 3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b,"
                + "oL9krJun7xfBOIWcGHi7mag5/hdZrKWw15jPGrHpjQeRAvTdszaPD+QLs3fx8A4M3e23mRZ9VrbpMngwcrqNAg==",
        "zPnZ/QwEe7S8C5SPz2OfS5RR40ATk2/rYnE9xHIEijs=, 35217, 401781b934e392de492ec77ae2e15d70f6575a1c0bc59c5275c04ebe80c6614c,"
                + "zXQ0bkYgQTEFyfLyi9QoiY6D8ZdYo4wyUhVioYZXFdT410QPRITQSqJSnzQoSm5poJ7gD7AQR0O7KuI5k2pcBg=="
    })
    void ed25519(String key, int tag, String digest, String signature) throws Exception {
        check(
                "example.com. 3600 IN DNSKEY 257 3 15 " + key,
                "example.com. 3600 IN DS %d 15 2 %s".formatted(tag, digest),
                "example.com. 3600 IN MX 10 mail.example.com.",
                "example.com. 3600 IN RRSIG MX 15 2 3600 1440021600 1438207200 %d example.com. %s"
                        .formatted(tag, signature));
    }

    /** RFC 8080, section 6.2: the first example for Ed448. */
    @Test
    void ed448() throws Exception {
        check(
                "example.com. 3600 IN DNSKEY 257 3 16 3kgROaDjrh0H2iuixWBrc8g2EpBBLCdGzHmn+G2MpTPhpj/OiBVHHSfPodx1FYYUcJKm1MDpJtIA",
                "example.com. 3600 IN DS 9713 16 2 6ccf18d5bc5d7fc2fceb1d59d17321402f2aa8d368048db93dd811f5cb2b19c7",
                "example.com. 3600 IN MX 10 mail.example.com.",
                "example.com. 3600 IN RRSIG MX 16 2 3600 1440021600 1438207200 9713 example.com. 3cPAHkmlnxcDHMyg7vFC34l0blBhuG1qpwLmjInI8w1CMB29FkEAIJUA0amxWndkmnBZ6SKiwZSAxGILn/NBtOXft0+Gj7FSvOKxE/07+4RQvE581N3Aj/JtIyaiYVdnYtyMWbSNyGEY2213WKsJlwEA");
    }

    /** RFC 6605, section 6.1. */
    @Test
    void ecdsaP256() throws Exception {
        check(
                "example.net. 3600 IN DNSKEY 257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==",
                "example.net. 3600 IN DS 55648 13 2 b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17",
                "www.example.net. 3600 IN A 192.0.2.1",
                "www.example.net. 3600 IN RRSIG A 13 3 3600 20100909100439 20100812100439 55648 example.net. qx6wLYqmh+l9oCKTN6qIc+bw6ya+KJ8oMz0YP107epXAyGmt+3SNruPFKG7tZoLBLlUzGGus7ZwmwWep666VCw==");
    }

    /** RFC 6605, section 6.2. */
    @Test
    void ecdsaP384() throws Exception {
        check(
                "example.net. 3600 IN DNSKEY 257 3 14 xKYaNhWdGOfJ+nPrL8/arkwf2EY3MDJ+SErKivBVSum1w/egsXvSADtNJhyem5RCOpgQ6K8X1DRSEkrbYQ+OB+v8/uX45NBwY8rp65F6Glur8I/mlVNgF6W/qTI37m40",
                "example.net. 3600 IN DS 10771 14 4 72d7b62976ce06438e9c0bf319013cf801f09ecc84b8d7e9495f27e305c6a9b0563a9b5f4d288405c3008a946df983d6",
                "www.example.net. 3600 IN A 192.0.2.1",
                "www.example.net. 3600 IN RRSIG A 14 3 3600 20100909102025 20100812102025 10771 example.net. /L5hDKIvGDyI1fcARX3z65qrmPsVz73QD1Mr5CEqOiLP95hxQouuroGCeZOvzFaxsT8Glr74hbavRKayJNuydCuzWTSSPdz7wnqXL5bdcJzusdnI0RSMROxxwGipWcJm");
    }

    private static void check(String key, String ds, String data, String signature)
            throws Exception {
        final Record keyRecord = record(key);
        final Dnskey dnskey = Dnskey.parse(keyRecord.rdataToWireCanonical());
        final DelegationSigner signer = DelegationSigner.parse(record(ds).rdataToWireCanonical());
        final Record dataRecord = record(data);
        final Rrsig rrsig = Rrsig.parse(record(signature).rdataToWireCanonical());
        assertThat(dnskey).isNotNull();
        assertThat(signer).isNotNull();
        assertThat(rrsig).isNotNull();
        if (dnskey == null || signer == null || rrsig == null) {
            return;
        }
        final Name zone = Name.of(keyRecord.getName().toString());
        assertThat(dnskey.tag()).isEqualTo(signer.keyTag());
        assertThat(signer.matches(zone, dnskey)).isTrue();
        final Rrset set =
                new Rrset(
                        Name.of(dataRecord.getName().toString()),
                        dataRecord.getType(),
                        3600,
                        List.of(dataRecord.rdataToWireCanonical()),
                        List.of(rrsig),
                        List.of());
        final Work work =
                new Work(
                        ValidationLimits.DEFAULT,
                        new ValidationStatistics(),
                        NOTHING,
                        Instant.ofEpochSecond(rrsig.inception() + 100L).getEpochSecond());
        final Checked checked = new RrsetVerifier(1).verify(set, zone, List.of(dnskey), work);
        assertThat(checked).isInstanceOf(Valid.class);
    }

    private static Record record(String line) throws Exception {
        final byte[] text = line.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        try (Master master = new Master(new java.io.ByteArrayInputStream(text))) {
            final List<Record> records = new ArrayList<>();
            records.add(master.nextRecord());
            return records.getFirst();
        }
    }

    /** The names and types of the example in RFC 4034, section 4.3. */
    @Test
    void nsecTypeBitmap() {
        final byte[] bitmap = new byte[8 + 29];
        System.arraycopy(new byte[] {0, 6, 0x40, 1, 0, 0, 0, 3, 4, 27}, 0, bitmap, 0, 10);
        bitmap[36] = 0x20;
        assertThat(TypeBitmap.isSound(bitmap, 0)).isTrue();
        assertThat(TypeBitmap.types(bitmap, 0))
                .containsExactly(
                        RecordType.A, RecordType.MX, RecordType.RRSIG, RecordType.NSEC, 1234);
        assertThat(TypeBitmap.has(bitmap, 0, 1234)).isTrue();
        assertThat(TypeBitmap.has(bitmap, 0, 1235)).isFalse();
    }
}
