package io.ananas.testkit;

import io.ananas.message.MessageLayout;
import io.ananas.message.ResponseCode;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ScriptedUpstream} says to a query. Each query has a virtual thread of its own, so a
 * reply may block.
 */
@FunctionalInterface
public interface Reply {
    /**
     * The octets to send back; null sends none, and an empty array closes the connection over TCP
     * and sends none over UDP.
     */
    byte @Nullable [] to(ReceivedQuery query) throws InterruptedException;

    /** A response with these records, in master file form, in its answer section. */
    static ReplyMessage answer(String... records) {
        return ReplyMessage.empty().answer(records);
    }

    /** A response with a code and no records; see {@link ResponseCode}. */
    static ReplyMessage code(int responseCode) {
        return ReplyMessage.empty().code(responseCode);
    }

    /** NXDOMAIN with an SOA record in the authority section. */
    static ReplyMessage nameError(String soa) {
        return code(ResponseCode.NXDOMAIN).authority(soa);
    }

    /** NOERROR without answer, with an SOA record in the authority section. */
    static ReplyMessage noData(String soa) {
        return ReplyMessage.empty().authority(soa);
    }

    /** A given message, with the id of the query. */
    static Reply of(DnsMessage message) {
        return raw(message.toWire(true));
    }

    /** Says nothing. */
    static Reply silence() {
        return query -> null;
    }

    /** Closes the connection over TCP, says nothing over UDP. */
    static Reply close() {
        return query -> new byte[0];
    }

    /** Given octets, with the id of the query where there are two octets for it. */
    static Reply raw(byte[] octets) {
        final byte[] copy = octets.clone();
        return query -> {
            final byte[] reply = copy.clone();
            if (reply.length >= 2) {
                System.arraycopy(query.octets(), MessageLayout.ID, reply, MessageLayout.ID, 2);
            }
            return reply;
        };
    }

    /** Given octets, just as they are. */
    static Reply exactly(byte[] octets) {
        final byte[] copy = octets.clone();
        return query -> copy.clone();
    }

    /** The same with octets changed last of all, such as a wrong id. */
    default Reply changed(UnaryOperator<byte[]> change) {
        return query -> {
            final byte[] reply = to(query);
            return reply == null ? null : change.apply(reply);
        };
    }

    /** The same once the latch is open. */
    default Reply after(CountDownLatch latch) {
        return query -> {
            latch.await();
            return to(query);
        };
    }

    /** The same, later. */
    default Reply delayed(Duration delay) {
        return query -> {
            Thread.sleep(delay);
            return to(query);
        };
    }
}
