package io.ananas.cache;

import io.ananas.message.RecordType;

/**
 * How the rdata of a type is stored in the general form, and whether its names may be compressed in
 * an answer (RFC 3597, section 4: only in the types of RFC 1035).
 *
 * @param fixed octets before the names, or the whole length where there are none; -1 if the length
 *     is stored
 * @param names names that follow
 * @param tail octets behind the names
 * @param compressible whether an answer may compress the names
 */
record RdataForm(int fixed, int names, int tail, boolean compressible) {
    static final RdataForm OPAQUE = new RdataForm(-1, 0, 0, false);
    private static final RdataForm ADDRESS_4 = new RdataForm(4, 0, 0, false);
    private static final RdataForm ADDRESS_6 = new RdataForm(16, 0, 0, false);
    private static final RdataForm NAME = new RdataForm(0, 1, 0, true);
    private static final RdataForm PLAIN_NAME = new RdataForm(0, 1, 0, false);
    private static final RdataForm EXCHANGE = new RdataForm(2, 1, 0, true);
    private static final RdataForm SERVICE = new RdataForm(6, 1, 0, false);
    private static final RdataForm AUTHORITY = new RdataForm(0, 2, 20, true);

    /** The form of a type in class IN. */
    static RdataForm of(int type) {
        return switch (type) {
            case RecordType.A -> ADDRESS_4;
            case RecordType.AAAA -> ADDRESS_6;
            case RecordType.CNAME, RecordType.NS, RecordType.PTR -> NAME;
            case RecordType.DNAME -> PLAIN_NAME;
            case RecordType.MX -> EXCHANGE;
            case RecordType.SRV -> SERVICE;
            case RecordType.SOA -> AUTHORITY;
            default -> OPAQUE;
        };
    }
}
