package io.ananas.recursor;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.Link.Kind;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The links that are known: what resolution itself needs again, such as targets of aliases,
 * addresses of servers, keys. Whole answers for clients belong in the answer cache.
 *
 * <p>Only what an authoritative server said of the name asked for gets here (RFC 2181, section
 * 5.4.1): no glue, no referral, nothing of an additional section. A newer link replaces an older
 * one whole. Bounded in octets; thread-safe.
 */
final class LinkCache {
    /** In the place of a type: the name does not exist, whatever the type. */
    private static final int ANY_TYPE = -1;

    private final Cache<QuestionKey, Link> links;
    private final InstantSource clock;

    LinkCache(long octets, InstantSource clock) {
        this.clock = clock;
        links =
                Caffeine.newBuilder()
                        .maximumWeight(octets)
                        .weigher((QuestionKey key, Link link) -> link.weight())
                        .executor(Runnable::run)
                        .build();
    }

    /**
     * What is known of a name and type, with TTLs as they are now: of itself, or by a name error
     * for it, or a validated one or a DNAME above it. Null if nothing is.
     */
    @Nullable Link find(Name name, int type) {
        final Link exact = alive(name, type);
        if (exact != null) {
            return exact;
        }
        final Link alias = type == RecordType.CNAME ? null : alive(name, RecordType.CNAME);
        if (alias != null && alias.kind() == Kind.ANSWER && followsAliases(type)) {
            return Aliases.fromCname(alias, type);
        }
        final Link error = alive(name, ANY_TYPE);
        if (error != null) {
            return error.below(name, type);
        }
        return findAbove(name, type);
    }

    /** Whether an alias stands in for records of this type (RFC 2181, s. 10.1; RFC 4034, s. 3). */
    static boolean followsAliases(int type) {
        return type != RecordType.CNAME
                && type != RecordType.ANY
                && type != RecordType.RRSIG
                && type != RecordType.NSEC;
    }

    private @Nullable Link findAbove(Name name, int type) {
        for (Name above = name; !above.isRoot(); ) {
            above = above.parent();
            final Link error = alive(above, ANY_TYPE);
            if (error != null && error.isSecure()) {
                return error.below(name, type);
            }
            final Link dname = alive(above, RecordType.DNAME);
            if (dname != null && dname.kind() == Kind.ANSWER) {
                return Aliases.fromDname(dname, name, type);
            }
        }
        return null;
    }

    /** What is known of this very name and type. */
    @Nullable Link exact(Name name, int type) {
        return alive(name, type);
    }

    private @Nullable Link alive(Name name, int type) {
        final Link link = links.getIfPresent(new QuestionKey(name, type));
        final long now = clock.millis();
        return link == null || !link.isAlive(now) ? null : link.aged(now);
    }

    /** Keeps a link, in the place of what was known before; one that lives 0 s is not kept. */
    void put(Link link) {
        if (isBogus(link)) {
            return;
        }
        if (link.lifetime() <= 0) {
            links.invalidate(link.key());
            return;
        }
        final Name name = link.name();
        switch (link.kind()) {
            case NAME_ERROR -> putNameError(link);
            case ALIAS -> {
                links.invalidate(link.key());
                final RRset first = link.answer().getFirst();
                if (first.type() == RecordType.DNAME) {
                    put(Aliases.dnameOf(link));
                } else {
                    put(Aliases.cnameOf(link));
                }
            }
            case ANSWER, NO_DATA -> {
                links.put(link.key(), link);
                links.invalidate(new QuestionKey(name, ANY_TYPE));
            }
        }
    }

    private void putNameError(Link link) {
        if (link.name().equals(link.provenName())) {
            links.invalidate(link.key());
            links.invalidate(new QuestionKey(link.name(), RecordType.CNAME));
            links.put(new QuestionKey(link.name(), ANY_TYPE), link);
        }
    }

    /** A bogus one is worth no more than a failure, which is remembered elsewhere. */
    private static boolean isBogus(Link link) {
        return link.verdict() != null && link.verdict().status() == Status.BOGUS;
    }

    /** Forgets a link; see {@link #forget(Name)} for all of a name and below. */
    void forget(Link link) {
        links.invalidate(link.key());
        links.invalidate(new QuestionKey(link.name(), RecordType.CNAME));
        links.invalidate(new QuestionKey(link.name(), ANY_TYPE));
    }

    /** Forgets all at and below a name, and name errors and DNAMEs above it. */
    void forget(Name subtree) {
        final Predicate<QuestionKey> covers =
                key ->
                        key.name().isSubdomainOf(subtree)
                                || (subtree.isSubdomainOf(key.name())
                                        && (key.type() == ANY_TYPE
                                                || key.type() == RecordType.DNAME));
        final List<QuestionKey> gone = new ArrayList<>();
        for (final QuestionKey key : links.asMap().keySet()) {
            if (covers.test(key)) {
                gone.add(key);
            }
        }
        links.invalidateAll(gone);
    }

    /** Forgets what denies a name or a type. */
    void forgetDenials() {
        links.asMap()
                .values()
                .removeIf(link -> link.kind() == Kind.NAME_ERROR || link.kind() == Kind.NO_DATA);
    }

    long size() {
        links.cleanUp();
        return links.estimatedSize();
    }
}
