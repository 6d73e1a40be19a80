package io.ananas.message;

/** Response codes of 4 bits in the header, 12 with an OPT record (RFC 6895, section 2.3). */
public final class ResponseCode {
    public static final int NOERROR = 0;
    public static final int FORMERR = 1;
    public static final int SERVFAIL = 2;
    public static final int NXDOMAIN = 3;
    public static final int NOTIMP = 4;
    public static final int REFUSED = 5;
    public static final int YXDOMAIN = 6;
    public static final int YXRRSET = 7;
    public static final int NXRRSET = 8;
    public static final int NOTAUTH = 9;
    public static final int NOTZONE = 10;

    /** RFC 6891, section 6.1.3. */
    public static final int BADVERS = 16;

    public static final int BADCOOKIE = 23;

    private ResponseCode() {}

    /** {@code NXDOMAIN}, or {@code RCODE17} for one without a mnemonic here. */
    public static String text(int responseCode) {
        return switch (responseCode) {
            case NOERROR -> "NOERROR";
            case FORMERR -> "FORMERR";
            case SERVFAIL -> "SERVFAIL";
            case NXDOMAIN -> "NXDOMAIN";
            case NOTIMP -> "NOTIMP";
            case REFUSED -> "REFUSED";
            case YXDOMAIN -> "YXDOMAIN";
            case YXRRSET -> "YXRRSET";
            case NXRRSET -> "NXRRSET";
            case NOTAUTH -> "NOTAUTH";
            case NOTZONE -> "NOTZONE";
            case BADVERS -> "BADVERS";
            case BADCOOKIE -> "BADCOOKIE";
            default -> "RCODE" + responseCode;
        };
    }
}
