package io.ananas.message;

/**
 * Where names stand in rdata that may come compressed.
 *
 * <pre>
 *      +---------------------+--------+----------+-----------+
 *      | prefix              | name   | name     | tail      |
 *      +---------------------+--------+----------+-----------+
 *   NS MD MF CNAME MB MG MR PTR DNAME    1 name
 *   SOA                                  2 names, 20 octets
 *   MINFO RP                             2 names
 *   MX AFSDB RT KX     2 octets          1 name
 *   PX                 2 octets          2 names
 *   SRV                6 octets          1 name
 *   SIG                18 octets         1 name, any octets
 *   NXT                                  1 name, any octets
 *   NAPTR              4 octets and 3 character-strings, 1 name
 * </pre>
 *
 * <p>RFC 3597, section 4: only the types of RFC 1035 may be sent compressed, these and a few others
 * are decompressed when received, and every other type is opaque: names in it (RRSIG, NSEC, SVCB)
 * are never compressed, so it is copied as it stands.
 */
public final class RdataLayout {
    /** A tail of any length. */
    static final int ANY_TAIL = -1;

    private static final int NAPTR_FIXED = 4;
    private static final int NAPTR_STRINGS = 3;

    private RdataLayout() {}

    /** Names that may come compressed in rdata of this type: 0, 1 or 2. */
    public static int nameCount(int type) {
        return switch (type) {
            case RecordType.NS,
                    RecordType.MD,
                    RecordType.MF,
                    RecordType.CNAME,
                    RecordType.MB,
                    RecordType.MG,
                    RecordType.MR,
                    RecordType.PTR,
                    RecordType.DNAME,
                    RecordType.MX,
                    RecordType.AFSDB,
                    RecordType.RT,
                    RecordType.KX,
                    RecordType.SRV,
                    RecordType.SIG,
                    RecordType.NXT,
                    RecordType.NAPTR ->
                    1;
            case RecordType.SOA, RecordType.MINFO, RecordType.RP, RecordType.PX -> 2;
            default -> 0;
        };
    }

    /** Whether names in rdata of this type may be sent compressed (RFC 3597, section 4). */
    public static boolean mayCompress(int type) {
        return switch (type) {
            case RecordType.NS,
                    RecordType.MD,
                    RecordType.MF,
                    RecordType.CNAME,
                    RecordType.SOA,
                    RecordType.MB,
                    RecordType.MG,
                    RecordType.MR,
                    RecordType.PTR,
                    RecordType.MINFO,
                    RecordType.MX ->
                    true;
            default -> false;
        };
    }

    /**
     * Offset of the first name in rdata that reaches from {@code start} to {@code end}, for a type
     * with {@link #nameCount} above 0; -1 where the rdata is too short for one.
     */
    public static int firstName(byte[] octets, int type, int start, int end) {
        final int at =
                switch (type) {
                    case RecordType.MX,
                            RecordType.AFSDB,
                            RecordType.RT,
                            RecordType.KX,
                            RecordType.PX ->
                            start + 2;
                    case RecordType.SRV -> start + 6;
                    case RecordType.SIG -> start + 18;
                    case RecordType.NAPTR -> skipStrings(octets, start + NAPTR_FIXED, end);
                    default -> start;
                };
        return at < end ? at : -1;
    }

    /** Octets behind the last name, or {@link #ANY_TAIL}. */
    static int tailLength(int type) {
        return switch (type) {
            case RecordType.SOA -> 20;
            case RecordType.SIG, RecordType.NXT -> ANY_TAIL;
            default -> 0;
        };
    }

    /** Whether rdata of {@code length} octets may be of a type whose length is fixed. */
    static boolean lengthFits(int type, int recordClass, int length) {
        return switch (type) {
            case RecordType.A -> length == 4 || recordClass != RecordClass.IN;
            case RecordType.AAAA -> length == 16 || recordClass != RecordClass.IN;
            default -> true;
        };
    }

    private static int skipStrings(byte[] octets, int start, int end) {
        int at = start;
        for (int i = 0; i < NAPTR_STRINGS; i++) {
            if (at >= end) {
                return end;
            }
            at += 1 + (octets[at] & 0xff);
        }
        return at;
    }
}
