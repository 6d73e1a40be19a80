package io.ananas.server;

import io.ananas.message.Memory;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import io.ananas.message.RecordType;
import java.util.Arrays;

/**
 * What makes two questions the same to an upstream: the name in lower case (RFC 4343), the type,
 * and the CD bit, without which an answer that fails validation is withheld. The class is IN.
 */
final class QuestionKey {
    private final byte[] name;
    private final int type;
    private final boolean checkingDisabled;
    private final int hash;

    private QuestionKey(byte[] name, int type, boolean checkingDisabled) {
        this.name = name;
        this.type = type;
        this.checkingDisabled = checkingDisabled;
        hash = 31 * (31 * Arrays.hashCode(name) + type) + Boolean.hashCode(checkingDisabled);
    }

    static QuestionKey of(QueryView query) {
        final byte[] name = new byte[query.nameLength()];
        Memory.copyTo(query.nameAddress(), name, 0, name.length);
        for (int i = 0; i < name.length; i++) {
            if (name[i] >= 'A' && name[i] <= 'Z') {
                name[i] = (byte) (name[i] + ('a' - 'A'));
            }
        }
        return new QuestionKey(name, query.type(), query.checkingDisabled());
    }

    /** The name in lower case. */
    byte[] name() {
        return name;
    }

    int type() {
        return type;
    }

    boolean checkingDisabled() {
        return checkingDisabled;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QuestionKey that
                && that.hash == hash
                && that.type == type
                && that.checkingDisabled == checkingDisabled
                && Arrays.equals(that.name, name);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return Name.ofWire(name, 0) + " " + RecordType.text(type);
    }
}
