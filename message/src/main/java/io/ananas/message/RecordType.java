package io.ananas.message;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Types of records (RFC 6895, section 3.1, and the registry that it founds). */
public final class RecordType {
    public static final int A = 1;
    public static final int NS = 2;
    public static final int MD = 3;
    public static final int MF = 4;
    public static final int CNAME = 5;
    public static final int SOA = 6;
    public static final int MB = 7;
    public static final int MG = 8;
    public static final int MR = 9;
    public static final int NULL = 10;
    public static final int WKS = 11;
    public static final int PTR = 12;
    public static final int HINFO = 13;
    public static final int MINFO = 14;
    public static final int MX = 15;
    public static final int TXT = 16;
    public static final int RP = 17;
    public static final int AFSDB = 18;
    public static final int X25 = 19;
    public static final int ISDN = 20;
    public static final int RT = 21;
    public static final int NSAP = 22;
    public static final int NSAP_PTR = 23;
    public static final int SIG = 24;
    public static final int KEY = 25;
    public static final int PX = 26;
    public static final int GPOS = 27;
    public static final int AAAA = 28;
    public static final int LOC = 29;
    public static final int NXT = 30;
    public static final int EID = 31;
    public static final int NIMLOC = 32;
    public static final int SRV = 33;
    public static final int ATMA = 34;
    public static final int NAPTR = 35;
    public static final int KX = 36;
    public static final int CERT = 37;
    public static final int A6 = 38;
    public static final int DNAME = 39;
    public static final int SINK = 40;
    public static final int OPT = 41;
    public static final int APL = 42;
    public static final int DS = 43;
    public static final int SSHFP = 44;
    public static final int IPSECKEY = 45;
    public static final int RRSIG = 46;
    public static final int NSEC = 47;
    public static final int DNSKEY = 48;
    public static final int DHCID = 49;
    public static final int NSEC3 = 50;
    public static final int NSEC3PARAM = 51;
    public static final int TLSA = 52;
    public static final int SMIMEA = 53;
    public static final int HIP = 55;
    public static final int NINFO = 56;
    public static final int RKEY = 57;
    public static final int TALINK = 58;
    public static final int CDS = 59;
    public static final int CDNSKEY = 60;
    public static final int OPENPGPKEY = 61;
    public static final int CSYNC = 62;
    public static final int ZONEMD = 63;
    public static final int SVCB = 64;
    public static final int HTTPS = 65;
    public static final int DSYNC = 66;
    public static final int SPF = 99;
    public static final int NID = 104;
    public static final int L32 = 105;
    public static final int L64 = 106;
    public static final int LP = 107;
    public static final int EUI48 = 108;
    public static final int EUI64 = 109;
    public static final int TKEY = 249;
    public static final int TSIG = 250;
    public static final int IXFR = 251;
    public static final int AXFR = 252;
    public static final int MAILB = 253;
    public static final int MAILA = 254;
    public static final int ANY = 255;
    public static final int URI = 256;
    public static final int CAA = 257;
    public static final int AVC = 258;
    public static final int DOA = 259;
    public static final int AMTRELAY = 260;
    public static final int RESINFO = 261;
    public static final int WALLET = 262;
    public static final int TA = 32768;
    public static final int DLV = 32769;

    private static final Map<String, Integer> BY_TEXT = new HashMap<>();
    private static final Map<Integer, String> BY_NUMBER = new HashMap<>();

    static {
        define(A, "A");
        define(NS, "NS");
        define(MD, "MD");
        define(MF, "MF");
        define(CNAME, "CNAME");
        define(SOA, "SOA");
        define(MB, "MB");
        define(MG, "MG");
        define(MR, "MR");
        define(NULL, "NULL");
        define(WKS, "WKS");
        define(PTR, "PTR");
        define(HINFO, "HINFO");
        define(MINFO, "MINFO");
        define(MX, "MX");
        define(TXT, "TXT");
        define(RP, "RP");
        define(AFSDB, "AFSDB");
        define(X25, "X25");
        define(ISDN, "ISDN");
        define(RT, "RT");
        define(NSAP, "NSAP");
        define(NSAP_PTR, "NSAP-PTR");
        define(SIG, "SIG");
        define(KEY, "KEY");
        define(PX, "PX");
        define(GPOS, "GPOS");
        define(AAAA, "AAAA");
        define(LOC, "LOC");
        define(NXT, "NXT");
        define(EID, "EID");
        define(NIMLOC, "NIMLOC");
        define(SRV, "SRV");
        define(ATMA, "ATMA");
        define(NAPTR, "NAPTR");
        define(KX, "KX");
        define(CERT, "CERT");
        define(A6, "A6");
        define(DNAME, "DNAME");
        define(SINK, "SINK");
        define(OPT, "OPT");
        define(APL, "APL");
        define(DS, "DS");
        define(SSHFP, "SSHFP");
        define(IPSECKEY, "IPSECKEY");
        define(RRSIG, "RRSIG");
        define(NSEC, "NSEC");
        define(DNSKEY, "DNSKEY");
        define(DHCID, "DHCID");
        define(NSEC3, "NSEC3");
        define(NSEC3PARAM, "NSEC3PARAM");
        define(TLSA, "TLSA");
        define(SMIMEA, "SMIMEA");
        define(HIP, "HIP");
        define(NINFO, "NINFO");
        define(RKEY, "RKEY");
        define(TALINK, "TALINK");
        define(CDS, "CDS");
        define(CDNSKEY, "CDNSKEY");
        define(OPENPGPKEY, "OPENPGPKEY");
        define(CSYNC, "CSYNC");
        define(ZONEMD, "ZONEMD");
        define(SVCB, "SVCB");
        define(HTTPS, "HTTPS");
        define(DSYNC, "DSYNC");
        define(SPF, "SPF");
        define(NID, "NID");
        define(L32, "L32");
        define(L64, "L64");
        define(LP, "LP");
        define(EUI48, "EUI48");
        define(EUI64, "EUI64");
        define(TKEY, "TKEY");
        define(TSIG, "TSIG");
        define(IXFR, "IXFR");
        define(AXFR, "AXFR");
        define(MAILB, "MAILB");
        define(MAILA, "MAILA");
        define(ANY, "ANY");
        define(URI, "URI");
        define(CAA, "CAA");
        define(AVC, "AVC");
        define(DOA, "DOA");
        define(AMTRELAY, "AMTRELAY");
        define(RESINFO, "RESINFO");
        define(WALLET, "WALLET");
        define(TA, "TA");
        define(DLV, "DLV");
    }

    private RecordType() {}

    private static void define(int type, String text) {
        BY_TEXT.put(text, type);
        BY_NUMBER.put(type, text);
    }

    /** {@code AAAA}, or {@code TYPE65300} for one without a mnemonic (RFC 3597, section 5). */
    public static String text(int type) {
        final String text = BY_NUMBER.get(type);
        return text != null ? text : "TYPE" + type;
    }

    /**
     * The type that {@code text} names, in any case; the reverse of {@link #text}.
     *
     * @throws IllegalArgumentException if it names none
     */
    public static int parse(String text) {
        final Integer known = BY_TEXT.get(text.toUpperCase(Locale.ROOT));
        return known != null ? known : parseNumbered(text, "TYPE", "record type", "AAAA");
    }

    static int parseNumbered(String text, String prefix, String what, String example) {
        if (text.regionMatches(true, 0, prefix, 0, prefix.length())) {
            final String digits = text.substring(prefix.length());
            if (digits.matches("[0-9]{1,5}") && Integer.parseInt(digits) <= 0xffff) {
                return Integer.parseInt(digits);
            }
        }
        throw new IllegalArgumentException(
                "\"%s\" is no %s; expected a mnemonic such as %s, or %s0 to %s65535"
                        .formatted(text, what, example, prefix, prefix));
    }

    /**
     * Whether records of this type go only to clients that set DO, unless they ask for the type
     * itself (RFC 4035, section 3.2.1).
     */
    public static boolean isDnssec(int type) {
        return type == RRSIG || type == NSEC || type == NSEC3;
    }

    /**
     * Whether this is a question or meta type, which no zone holds: OPT, and 128 to 255 (RFC 6895,
     * section 3.1).
     */
    public static boolean isMeta(int type) {
        return type == OPT || (type >= 128 && type <= 255);
    }

    /**
     * Whether the rdata holds names that may come compressed, so that it means nothing outside its
     * message; see {@link RdataLayout}.
     */
    public static boolean holdsNames(int type) {
        return RdataLayout.nameCount(type) > 0;
    }
}
