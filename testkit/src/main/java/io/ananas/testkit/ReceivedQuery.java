package io.ananas.testkit;

import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.net.InetSocketAddress;

/** A query as a {@link ScriptedUpstream} got it. Immutable. */
public final class ReceivedQuery {
    private final byte[] octets;
    private final boolean overTcp;
    private final InetSocketAddress client;
    private final Fault fault;
    private final Name name;
    private final int type;
    private final int queryClass;
    private final boolean dnssecOk;
    private final boolean hasEdns;
    private final int payloadSize;

    ReceivedQuery(byte[] octets, boolean overTcp, InetSocketAddress client) {
        this.octets = octets;
        this.overTcp = overTcp;
        this.client = client;
        final MessageView view = new MessageView();
        fault = view.parse(octets, octets.length);
        name = view.questionCount() == 0 ? Name.ROOT : view.name(view.questionName());
        type = view.questionType();
        queryClass = view.questionClass();
        hasEdns = view.hasEdns();
        dnssecOk = view.dnssecOk();
        payloadSize = view.payloadSize();
    }

    /** What is wrong with it; {@link Fault#NONE} if it is sound. */
    public Fault fault() {
        return fault;
    }

    /** QNAME in the case it came in; the root if there is no readable question. */
    public Name name() {
        return name;
    }

    /** QTYPE; 0 if there is no readable question. */
    public int type() {
        return type;
    }

    /** QCLASS; 0 if there is no readable question. */
    public int queryClass() {
        return queryClass;
    }

    public boolean hasEdns() {
        return hasEdns;
    }

    /** The DO bit. */
    public boolean dnssecOk() {
        return dnssecOk;
    }

    /** Octets of UDP payload that the client takes, at least 512. */
    public int payloadSize() {
        return payloadSize;
    }

    public boolean overTcp() {
        return overTcp;
    }

    /** Address and port it came from. */
    public InetSocketAddress client() {
        return client;
    }

    /** A copy of its octets. */
    public byte[] octets() {
        return octets.clone();
    }

    /** All that is in it. */
    public DnsMessage message() {
        return DnsMessage.parse(octets);
    }

    @Override
    public String toString() {
        return name + " " + RecordType.text(type) + (overTcp ? " over TCP" : " over UDP");
    }
}
