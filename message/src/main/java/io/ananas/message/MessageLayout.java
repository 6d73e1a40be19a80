package io.ananas.message;

/**
 * Where things stand in a DNS message (RFC 1035, section 4.1).
 *
 * <pre>
 *      0       2        4         6         8         10        12
 *      +-------+--------+---------+---------+---------+---------+----------
 *      |  id   | flags  | QDCOUNT | ANCOUNT | NSCOUNT | ARCOUNT | question ...
 *      +-------+--------+---------+---------+---------+---------+----------
 *
 *      flags:  QR | opcode (4) | AA | TC | RD | RA | 0 | AD | CD | rcode (4)
 * </pre>
 */
public final class MessageLayout {
    public static final int HEADER_LENGTH = 12;
    public static final int ID = 0;
    public static final int FLAGS = 2;
    public static final int QDCOUNT = 4;
    public static final int ANCOUNT = 6;
    public static final int NSCOUNT = 8;
    public static final int ARCOUNT = 10;

    public static final int QR = 0x8000;
    public static final int OPCODE_MASK = 0x7800;
    public static final int AA = 0x0400;
    public static final int TC = 0x0200;
    public static final int RD = 0x0100;
    public static final int RA = 0x0080;
    public static final int AD = 0x0020;
    public static final int CD = 0x0010;
    public static final int RCODE_MASK = 0x000f;

    /** The DO bit in the flags of an OPT record (RFC 3225). */
    public static final int DO = 0x8000;

    /** Octets of a name with its root label (RFC 1035, section 2.3.4). */
    public static final int MAX_NAME = 255;

    /** Octets of a label. */
    public static final int MAX_LABEL = 63;

    /** Octets of a message over TCP. */
    public static final int MAX_MESSAGE = 65_535;

    private MessageLayout() {}
}
