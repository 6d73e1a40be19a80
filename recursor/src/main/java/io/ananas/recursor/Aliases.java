package io.ananas.recursor;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.Link.Kind;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Aliases: by CNAME, and by DNAME for all names below one (RFC 6672). */
final class Aliases {
    private Aliases() {}

    /**
     * The name that a DNAME record makes of {@code name} (RFC 6672, section 2.2).
     *
     * @return null if it would be longer than 255 octets
     */
    static @Nullable Name substitute(Name name, Name owner, Name target) {
        final int front = name.length() - owner.length();
        if (front + target.length() > 255) {
            return null;
        }
        final byte[] wire = Arrays.copyOf(name.wire(), front + target.length());
        target.copyTo(wire, front);
        return Name.ofWire(wire, 0);
    }

    /** The link of {@code name} that a DNAME above it makes, with the CNAME to show for it. */
    static Link fromDname(Link dname, Name name, int type) {
        final RRset set = dname.answer().getFirst();
        final Name target = substitute(name, set.owner(), set.target());
        if (target == null) {
            return with(dname, name, type, Kind.NAME_ERROR, ResponseCode.YXDOMAIN, List.of(set));
        }
        final RRset cname = RRset.of(name, RecordType.CNAME, set.ttl(), target.wire());
        return with(dname, name, type, Kind.ALIAS, ResponseCode.NOERROR, List.of(set, cname));
    }

    /** The link of another type that the CNAME record of the same name makes. */
    static Link fromCname(Link cname, int type) {
        return with(cname, cname.name(), type, Kind.ALIAS, ResponseCode.NOERROR, cname.answer());
    }

    /** The CNAME record of an alias as an answer of its own. */
    static Link cnameOf(Link alias) {
        return with(
                alias,
                alias.name(),
                RecordType.CNAME,
                Kind.ANSWER,
                ResponseCode.NOERROR,
                alias.answer());
    }

    /** The DNAME record of an alias as an answer of its own. */
    static Link dnameOf(Link alias) {
        final RRset dname = alias.answer().getFirst();
        return with(
                alias,
                dname.owner(),
                RecordType.DNAME,
                Kind.ANSWER,
                ResponseCode.NOERROR,
                List.of(dname));
    }

    private static Link with(
            Link of, Name name, int type, Kind kind, int responseCode, List<RRset> answer) {
        return new Link(
                name,
                type,
                kind,
                responseCode,
                name,
                of.zone(),
                answer,
                of.authority(),
                of.additional(),
                of.bornAt(),
                of.lifetime(),
                of.server(),
                of.verdict());
    }
}
