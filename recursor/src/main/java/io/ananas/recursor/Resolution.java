package io.ananas.recursor;

import io.ananas.message.ExtendedError;
import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import io.ananas.message.ResponseCode;
import java.util.List;

/** What became of a question. Immutable. */
public final class Resolution {
    /** Where it comes from. */
    public enum Source {
        /** From servers, or from what they said before. */
        RESOLVED,
        /** Made from validated proofs that are known; nothing was asked (RFC 8198). */
        SYNTHESISED,
        /** From local zones; nothing was asked, and the AA bit is set. */
        LOCAL,
        /** It failed. */
        FAILED,
        /** It failed a short while ago and was not tried again (RFC 9520). */
        FAILED_BEFORE
    }

    /**
     * Why a response is as it is.
     *
     * @param text for people: which server, what it did
     */
    public record Reason(ExtendedError error, String text) {}

    private final Source source;
    private final byte[] response;
    private final List<Reason> reasons;
    private final int upstreamQueries;
    private final int aliasSteps;
    private final int minimisationSteps;

    Resolution(
            Source source,
            byte[] response,
            List<Reason> reasons,
            int upstreamQueries,
            int aliasSteps,
            int minimisationSteps) {
        this.source = source;
        this.response = response;
        this.reasons = List.copyOf(reasons);
        this.upstreamQueries = upstreamQueries;
        this.aliasSteps = aliasSteps;
        this.minimisationSteps = minimisationSteps;
    }

    public Source source() {
        return source;
    }

    /**
     * The whole response, with id 0: QR, RA, AD if all of it is validated, CD if validation was not
     * wanted, the question as asked, all sections with their DNSSEC records, and if there are
     * reasons an OPT record with them as Extended DNS Errors. Not to be changed.
     */
    public byte[] response() {
        return response;
    }

    /** A new view of {@link #response}. */
    public MessageView view() {
        final MessageView view = new MessageView();
        final Fault fault = view.parse(response, response.length);
        if (fault != Fault.NONE) {
            throw new IllegalStateException("wrote an unsound response: " + fault.text());
        }
        return view;
    }

    /** The first says most; empty if there is nothing to tell. */
    public List<Reason> reasons() {
        return reasons;
    }

    /** Whether the response is SERVFAIL for want of an answer. */
    public boolean isFailure() {
        return source == Source.FAILED || source == Source.FAILED_BEFORE;
    }

    /** Queries sent to servers for it. */
    public int upstreamQueries() {
        return upstreamQueries;
    }

    /** Aliases followed. */
    public int aliasSteps() {
        return aliasSteps;
    }

    /** Queries that showed only a part of the name. */
    public int minimisationSteps() {
        return minimisationSteps;
    }

    @Override
    public String toString() {
        return "%s %s after %d queries %s"
                .formatted(
                        source, ResponseCode.text(view().responseCode()), upstreamQueries, reasons);
    }
}
