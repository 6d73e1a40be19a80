package io.ananas.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One option of an OPT record (RFC 6891, section 6.1.2): a code and octets. Immutable.
 *
 * <p>Options that nobody here knows survive as they are.
 */
public final class EdnsOption {
    public static final int NSID = 3;
    public static final int CLIENT_SUBNET = 8;
    public static final int EXPIRE = 9;
    public static final int COOKIE = 10;
    public static final int TCP_KEEPALIVE = 11;
    public static final int PADDING = 12;
    public static final int EXTENDED_ERROR = 15;

    private final int code;
    private final byte[] data;

    private EdnsOption(int code, byte[] data) {
        this.code = code;
        this.data = data;
    }

    /** An option of any code, 0 to 65,535, and up to 65,535 octets. */
    public static EdnsOption of(int code, byte[] data) {
        if (code < 0 || code > 0xffff || data.length > 0xffff) {
            throw new IllegalArgumentException(
                    "an EDNS option has a code and a length of 0 to 65535, got code %d and %d octets"
                            .formatted(code, data.length));
        }
        return new EdnsOption(code, data.clone());
    }

    /** An Extended DNS Error (RFC 8914, section 2); {@code extraText} may be empty. */
    public static EdnsOption extendedError(ExtendedError error, String extraText) {
        return extendedError(error.code(), extraText);
    }

    /** The same with any INFO-CODE, such as one that came from elsewhere. */
    public static EdnsOption extendedError(int code, String extraText) {
        final byte[] text = extraText.getBytes(StandardCharsets.UTF_8);
        final byte[] data = new byte[2 + text.length];
        Wire.put16(data, 0, code);
        System.arraycopy(text, 0, data, 2, text.length);
        return of(EXTENDED_ERROR, data);
    }

    /** A client subnet option (RFC 7871, section 6). */
    public static EdnsOption clientSubnet(ClientSubnet subnet) {
        return of(CLIENT_SUBNET, subnet.wire());
    }

    public int code() {
        return code;
    }

    /** A copy of its octets. */
    public byte[] data() {
        return data.clone();
    }

    /** Octets of it, without code and length. */
    public int length() {
        return data.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EdnsOption that
                && that.code == code
                && Arrays.equals(that.data, data);
    }

    @Override
    public int hashCode() {
        return 31 * code + Arrays.hashCode(data);
    }

    @Override
    public String toString() {
        return "option " + code + ", " + data.length + " octets";
    }
}
