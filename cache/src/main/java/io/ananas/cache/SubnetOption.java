package io.ananas.cache;

import io.ananas.message.Memory;
import io.ananas.message.QueryView;

/**
 * The client subnet option of a response: that of the query, with the scope of the answer (RFC
 * 7871, section 7.2.2).
 */
final class SubnetOption {
    private static final int HEAD = 4;
    private static final int SCOPE = 7;
    private static final int OPT_DATA_LENGTH = 9;

    private SubnetOption() {}

    /** Octets of the option of a query, with code and length. */
    static int length(QueryView query) {
        return HEAD + Memory.getShortBE(query.address() + query.ecsOffset() + 2);
    }

    /**
     * Writes the option behind a response whose last record is its OPT.
     *
     * @param opt where that record begins
     * @param end where the response ends
     * @return octets added
     */
    static int append(QueryView query, int scope, long opt, long end) {
        final int octets = length(query);
        Memory.copy(query.address() + query.ecsOffset(), end, octets);
        Memory.putByte(end + SCOPE, scope);
        Memory.putShortBE(opt + OPT_DATA_LENGTH, Memory.getShortBE(opt + OPT_DATA_LENGTH) + octets);
        return octets;
    }
}
