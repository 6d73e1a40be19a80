package io.ananas.benchmarks.ladder;

import io.ananas.message.MessageView;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An Extended DNS Error (RFC 8914) of steps 1 to 5.
 *
 * @param text UTF-8
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ErrorReason(int code, byte[] text) {
    private static final ErrorReason[] NONE = {};

    static ErrorReason[] all(List<MessageView.Reason> reasons) {
        if (reasons.isEmpty()) {
            return NONE;
        }
        return reasons.stream()
                .map(r -> new ErrorReason(r.code(), r.text().getBytes(StandardCharsets.UTF_8)))
                .toArray(ErrorReason[]::new);
    }

    static void put(ErrorReason @Nullable [] errors, HeapQuery query, ResponseBuffer out) {
        if (!query.edns || errors == null || errors.length == 0) {
            return;
        }
        final int start = out.startOpt(query);
        for (ErrorReason error : errors) {
            out.putReason(error.code, error.text);
        }
        out.patchLength(start);
    }
}
