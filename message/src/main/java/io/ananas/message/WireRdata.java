package io.ananas.message;

/**
 * The rdata of one message in a byte array: checked, and copied with the names in it uncompressed.
 * Where those stand, {@link RdataLayout} says; {@link WireNames} bounds the work on them.
 */
final class WireRdata {
    private final WireNames names;
    private byte[] message = new byte[0];

    WireRdata(WireNames names) {
        this.names = names;
    }

    void reset(byte[] message) {
        this.message = message;
    }

    /** Checks the rdata of a type and class from {@code rdata} to {@code end}. */
    Fault check(int type, int recordClass, int rdata, int end) {
        if (RdataLayout.nameCount(type) > 0) {
            return checkNames(type, rdata, end);
        }
        return RdataLayout.lengthFits(type, recordClass, end - rdata) ? Fault.NONE : Fault.RDATA;
    }

    private Fault checkNames(int type, int rdata, int end) {
        int at = RdataLayout.firstName(message, type, rdata, end);
        if (at < 0) {
            return Fault.RDATA;
        }
        for (int i = RdataLayout.nameCount(type); i > 0; i--) {
            final Fault fault = names.check(at);
            if (fault != Fault.NONE) {
                return fault;
            }
            at = names.end();
        }
        final int tail = RdataLayout.tailLength(type);
        final boolean fits = tail == RdataLayout.ANY_TAIL ? at <= end : at + tail == end;
        return fits ? Fault.NONE : Fault.RDATA;
    }

    /** Checks that the options of an OPT record fill it. */
    Fault checkOptions(int rdata, int end) {
        int at = rdata;
        while (at < end) {
            if (at + 4 > end || at + 4 + Wire.u16(message, at + 2) > end) {
                return Fault.OPTION;
            }
            at += 4 + Wire.u16(message, at + 2);
        }
        return Fault.NONE;
    }

    /**
     * Copies checked rdata to {@code target}.
     *
     * @return the position behind the copy; -1 if there is no room for it or it has grown beyond
     *     65,535 octets
     */
    int expand(int type, int rdata, int end, byte[] target, int at) {
        int from = rdata;
        int to = at;
        for (int i = 0; i < RdataLayout.nameCount(type); i++) {
            final int name = i == 0 ? RdataLayout.firstName(message, type, rdata, end) : from;
            final int prefix = name - from;
            if (to + prefix + names.expandedLength(name) > target.length) {
                return -1;
            }
            System.arraycopy(message, from, target, to, prefix);
            to = names.expand(name, target, to + prefix);
            from = names.skip(name);
        }
        final int rest = end - from;
        if (to + rest > target.length || to + rest - at > 0xffff) {
            return -1;
        }
        System.arraycopy(message, from, target, to, rest);
        return to + rest;
    }
}
