package io.ananas.recursor;

import io.ananas.message.Upstream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one server address: how fast it answers, whether it answers at all, whether it
 * can take EDNS, its cookie. Thread-safe.
 *
 * <p><b>Time.</b> Smoothed round trip and its deviation as in RFC 6298; the timeout is the smoothed
 * time and four deviations, at least 50 ms, and doubles from try to try. Of a server never heard a
 * small random time is believed, so each gets its turn.
 *
 * <p><b>Silence.</b> After {@value #DEAD_AFTER} queries in a row without response it counts as dead
 * and is left alone for a second, then for twice as long each time, up to five minutes; between, a
 * question has one try at it. Any response brings it back.
 *
 * <p><b>EDNS.</b> A server that says FORMERR, NOTIMP or BADVERS to EDNS and is fine without it is
 * asked without for a quarter of an hour. Silence may be loss, so it takes two questions that only
 * went through without EDNS to believe that EDNS was the reason.
 */
final class ServerRecord {
    static final int DEAD_AFTER = 6;

    private static final long DEAD_AFTER_MILLIS = 1_000;
    private static final long FIRST_DEAD_MILLIS = 1_000;
    private static final long PLAIN_MILLIS = Duration.ofMinutes(15).toMillis();
    private static final long UNKNOWN_TIMEOUT_NANOS = Duration.ofMillis(400).toNanos();
    private static final long LEAST_TIMEOUT_NANOS = Duration.ofMillis(50).toNanos();
    private static final long LONGEST_TIMEOUT_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int UNKNOWN_SCORE_NANOS = 32_000_000;
    private static final int SUSPICIONS = 2;
    private static final int CLIENT_COOKIE = 8;

    private final InetSocketAddress address;
    private final Upstream udp;
    private final Upstream tcp;
    private final byte[] clientCookie = new byte[CLIENT_COOKIE];
    private final long unknownScore;

    private long smoothed = -1;
    private long deviation;
    private int silences;
    private long silentSince;
    private long lastAnswer = Long.MIN_VALUE;
    private @Nullable BackOff dead;
    private boolean ednsWorks;
    private int ednsSuspicions;
    private long plainUntil;
    private byte @Nullable [] serverCookie;
    private boolean keepsCase = true;

    ServerRecord(InetSocketAddress address, Upstream udp, Upstream tcp, RandomGenerator random) {
        this.address = address;
        this.udp = udp;
        this.tcp = tcp;
        random.nextBytes(clientCookie);
        unknownScore = random.nextInt(UNKNOWN_SCORE_NANOS);
    }

    InetSocketAddress address() {
        return address;
    }

    Upstream udp() {
        return udp;
    }

    Upstream tcp() {
        return tcp;
    }

    /** The lower, the sooner it should be asked; nanoseconds. */
    synchronized long score() {
        final long base = smoothed < 0 ? unknownScore : smoothed;
        return base + silences * UNKNOWN_TIMEOUT_NANOS;
    }

    /** How long to wait for a response at try {@code attempt}, which counts from 0. */
    synchronized Duration timeout(int attempt) {
        final long base =
                smoothed < 0 || silences >= DEAD_AFTER
                        ? UNKNOWN_TIMEOUT_NANOS
                        : Math.max(LEAST_TIMEOUT_NANOS, smoothed + 4 * deviation);
        final long doubled = base << Math.min(attempt, 6);
        return Duration.ofNanos(Math.min(LONGEST_TIMEOUT_NANOS, doubled));
    }

    /**
     * @param nanos how long it took
     * @param now milliseconds since 1970
     */
    synchronized void answered(long nanos, long now) {
        lastAnswer = now;
        if (smoothed < 0) {
            smoothed = nanos;
            deviation = nanos / 2;
        } else {
            deviation += (Math.abs(nanos - smoothed) - deviation) / 4;
            smoothed += (nanos - smoothed) / 8;
        }
        silences = 0;
        dead = null;
    }

    /**
     * Nothing came back for a query. If something did for a later one, it was a packet that was
     * lost; and a pause that many queries in flight fall into is too short to be a death.
     *
     * @param sent when it was asked, milliseconds since 1970
     */
    synchronized void silent(long sent, long now) {
        if (hasAnsweredSince(sent, now)) {
            return;
        }
        if (silences++ == 0) {
            silentSince = sent;
        }
        if (silences >= DEAD_AFTER && now - silentSince >= DEAD_AFTER_MILLIS) {
            bury(now);
        }
    }

    /** A time ahead of now is of a clock that was put back. */
    private boolean hasAnsweredSince(long time, long now) {
        return lastAnswer > time && lastAnswer <= now;
    }

    private void bury(long now) {
        dead =
                dead == null
                        ? BackOff.first(now, FIRST_DEAD_MILLIS)
                        : dead.next(now, FIRST_DEAD_MILLIS);
    }

    /**
     * A question was given up, as all servers of the zone stayed silent.
     *
     * @param begun when it was asked first, milliseconds since 1970
     */
    synchronized void gaveUp(long begun, long now) {
        if (!hasAnsweredSince(begun, now)) {
            silences = Math.max(silences, DEAD_AFTER);
            bury(now);
        }
    }

    /** Whether it counted as dead until lately, so that one try has to do. */
    synchronized boolean isProbed() {
        return dead != null;
    }

    synchronized boolean isDead(long now) {
        return dead != null && dead.holds(now);
    }

    synchronized boolean takesEdns(long now) {
        return now >= plainUntil || plainUntil - now > PLAIN_MILLIS;
    }

    synchronized boolean isEdnsKnownToWork() {
        return ednsWorks;
    }

    synchronized void ednsWorked() {
        ednsWorks = true;
        ednsSuspicions = 0;
    }

    synchronized void ednsRefused(long now) {
        ednsWorks = false;
        plainUntil = now + PLAIN_MILLIS;
    }

    /** A response came without EDNS after silence with it. */
    synchronized void ednsSuspected(long now) {
        if (++ednsSuspicions >= SUSPICIONS) {
            ednsRefused(now);
        }
    }

    /** What to send as cookie option: ours, and the server's if it has given one. */
    synchronized byte[] cookie() {
        final byte[] known = serverCookie;
        if (known == null) {
            return clientCookie.clone();
        }
        final byte[] both = Arrays.copyOf(clientCookie, CLIENT_COOKIE + known.length);
        System.arraycopy(known, 0, both, CLIENT_COOKIE, known.length);
        return both;
    }

    synchronized boolean hasServerCookie() {
        return serverCookie != null;
    }

    synchronized void forgetServerCookie() {
        serverCookie = null;
    }

    /**
     * Takes over the server's cookie from its response.
     *
     * @return false if the option does not begin with our own cookie, or has a wrong length: then
     *     the response is not to be trusted (RFC 7873, section 5.3)
     */
    synchronized boolean learnCookie(byte[] option) {
        if ((option.length != CLIENT_COOKIE && (option.length < 16 || option.length > 40))
                || !Arrays.equals(option, 0, CLIENT_COOKIE, clientCookie, 0, CLIENT_COOKIE)) {
            return false;
        }
        if (option.length > CLIENT_COOKIE) {
            serverCookie = Arrays.copyOfRange(option, CLIENT_COOKIE, option.length);
        }
        return true;
    }

    synchronized boolean keepsCase() {
        return keepsCase;
    }

    synchronized void changedCase() {
        keepsCase = false;
    }
}
