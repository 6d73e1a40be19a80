package io.ananas.benchmarks.trace;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.testkit.Workload;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Questions of a recorded trace with the answers that were seen. Where a resolver had an answer in
 * its cache already, the TTL in the trace is what was left of it; so the longest that was seen
 * counts. Denials get an SOA record. What was not recorded is made up with the reference workload's
 * TTLs and sizes.
 */
final class RecordedQuestions implements Trace.Questions {
    private static final Pattern ADDRESS4 = Pattern.compile("\\d+(\\.\\d+){3}");
    private static final int MAX_TTL = 86_400;
    private static final int DENIAL_TTL = 300;
    private static final int NXDOMAIN = 3;

    private final List<Question> questions = new ArrayList<>();
    private final Workload workload = new Workload();

    /** Of the record that is written next: the asked name, or the target of the alias before. */
    private Name owner = Name.ROOT;

    /** The asked type is denied at the end of an alias: an upstream sends the SOA record then. */
    private boolean endsInAlias;

    private static final class Question {
        private final Name name;
        private final int type;
        private int ttl;
        private @Nullable String rcode;
        private String @Nullable [] answers;

        Question(Name name, int type) {
            this.name = name;
            this.type = type;
        }
    }

    /** Adds a question; false if name or type are none that DNS has. */
    boolean add(String name, String type) {
        try {
            questions.add(new Question(Name.of(name), RecordType.parse(type)));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    void answer(int key, @Nullable String rcode, @Nullable String answers, @Nullable String ttls) {
        final Question question = questions.get(key);
        if (rcode == null && question.rcode == null && question.ttl == 0) {
            question.ttl = workload.generate(key % Workload.MAX_ENTRIES).ttl();
            return;
        }
        question.rcode = rcode;
        if (answers != null) {
            question.answers = answers.split(",");
        }
        question.ttl = Math.max(question.ttl, leastTtl(rcode, ttls));
    }

    private static int leastTtl(@Nullable String rcode, @Nullable String ttls) {
        if (ttls == null) {
            return "NOERROR".equals(rcode) || "NXDOMAIN".equals(rcode) ? DENIAL_TTL : 0;
        }
        return (int)
                Arrays.stream(ttls.split(",")).mapToDouble(Double::parseDouble).min().orElse(0);
    }

    @Override
    public int count() {
        return questions.size();
    }

    @Override
    public int ttl(int key) {
        return Math.min(MAX_TTL, questions.get(key).ttl);
    }

    @Override
    public int response(int key, int subnet, byte[] target) {
        final Question question = questions.get(key);
        final boolean nxdomain = "NXDOMAIN".equals(question.rcode);
        final ByteBuffer out = ByteBuffer.wrap(target);
        out.putShort((short) 0).putShort((short) (0x8180 | (nxdomain ? NXDOMAIN : 0)));
        out.putShort((short) 1).putInt(0).putShort((short) 0);
        out.put(question.name.wire()).putShort((short) question.type).putShort((short) 1);
        int answers = 0;
        owner = question.name;
        endsInAlias = false;
        if (question.answers != null && question.type != RecordType.SOA) {
            for (String answer : question.answers) {
                answers += put(out, question, answer, subnet) ? 1 : 0;
            }
        } else if (question.rcode == null) {
            answers = made(out, question, key, subnet);
        }
        out.putShort(6, (short) answers);
        if (endsInAlias || answers == 0) {
            out.putShort(8, (short) 1);
            putSoa(out, question);
        }
        return out.position();
    }

    private static void head(ByteBuffer out, Name owner, int type, int ttl) {
        out.put(owner.wire()).putShort((short) type).putShort((short) 1).putInt(ttl);
    }

    private boolean put(ByteBuffer out, Question question, String answer, int subnet) {
        if (out.remaining() < 1_000) {
            return false;
        }
        final int start = out.position();
        try {
            if (ADDRESS4.matcher(answer).matches() || answer.indexOf(':') >= 0) {
                final byte[] octets = InetAddress.ofLiteral(answer).getAddress();
                octets[octets.length - 1] ^= (byte) subnet;
                final int type = octets.length == 4 ? RecordType.A : RecordType.AAAA;
                head(out, owner, type, question.ttl);
                out.putShort((short) octets.length).put(octets);
                endsInAlias = false;
                return true;
            }
            if (question.type == RecordType.TXT) {
                final byte[] text = answer.getBytes(StandardCharsets.ISO_8859_1);
                final int length = Math.min(255, text.length);
                head(out, question.name, RecordType.TXT, question.ttl);
                out.putShort((short) (1 + length)).put((byte) length).put(text, 0, length);
                return true;
            }
            final Name target = Name.of(answer);
            final boolean alias = isAddress(question.type);
            head(out, owner, alias ? RecordType.CNAME : question.type, question.ttl);
            if (question.type == RecordType.SRV) {
                out.putShort((short) (6 + target.length())).putInt(0).putShort((short) 0);
            } else {
                out.putShort((short) target.length());
            }
            out.put(target.wire());
            owner = alias ? target : owner;
            endsInAlias = alias;
            return true;
        } catch (IllegalArgumentException e) {
            out.position(start);
            return false;
        }
    }

    private static boolean isAddress(int type) {
        return type == RecordType.A || type == RecordType.AAAA;
    }

    /** An answer of the reference workload's shape, for a question whose answer is not known. */
    private int made(ByteBuffer out, Question question, int key, int subnet) {
        final int count = workload.generate(key % Workload.MAX_ENTRIES).count();
        final byte[] octets = new byte[question.type == RecordType.AAAA ? 16 : 4];
        if (!isAddress(question.type)) {
            return 0;
        }
        for (int i = 0; i < count; i++) {
            ByteBuffer.wrap(octets).putInt(key * 31 + i ^ subnet << 24);
            head(out, question.name, question.type, question.ttl);
            out.putShort((short) octets.length).put(octets);
        }
        return count;
    }

    private static void putSoa(ByteBuffer out, Question question) {
        head(
                out,
                question.name.isRoot() ? Name.ROOT : question.name.parent(),
                RecordType.SOA,
                question.ttl);
        out.putShort((short) 22).putShort((short) 0).putInt(1).putInt(3_600).putInt(900);
        out.putInt(86_400).putInt(question.ttl);
    }
}
