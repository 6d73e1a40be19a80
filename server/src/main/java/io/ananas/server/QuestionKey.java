package io.ananas.server;

import io.ananas.message.ClientSubnet;
import io.ananas.message.Memory;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import io.ananas.message.RecordType;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What makes two questions the same to an upstream: the name in lower case (RFC 4343), the type,
 * the CD bit, without which an answer that fails validation is withheld, and the subnet of the
 * client where it is told upstream (RFC 7871). The class is IN.
 */
final class QuestionKey {
    private final byte[] name;
    private final int type;
    private final boolean checkingDisabled;
    private final @Nullable ClientSubnet subnet;
    private final int hash;

    private QuestionKey(
            byte[] name, int type, boolean checkingDisabled, @Nullable ClientSubnet subnet) {
        this.name = name;
        this.type = type;
        this.checkingDisabled = checkingDisabled;
        this.subnet = subnet;
        hash =
                31 * (31 * Arrays.hashCode(name) + type)
                        + Boolean.hashCode(checkingDisabled)
                        + Objects.hashCode(subnet);
    }

    /** The question of a client that is no one's neighbour in particular. */
    static QuestionKey of(QueryView query) {
        return of(query, query.checkingDisabled(), null);
    }

    static QuestionKey of(
            QueryView query, boolean checkingDisabled, @Nullable ClientSubnet subnet) {
        final byte[] name = new byte[query.nameLength()];
        Memory.copyTo(query.nameAddress(), name, 0, name.length);
        for (int i = 0; i < name.length; i++) {
            if (name[i] >= 'A' && name[i] <= 'Z') {
                name[i] = (byte) (name[i] + ('a' - 'A'));
            }
        }
        return new QuestionKey(name, query.type(), checkingDisabled, subnet);
    }

    /** The same question about another name. */
    QuestionKey withName(Name other) {
        return new QuestionKey(other.toLowerCase().wire(), type, checkingDisabled, subnet);
    }

    /** The same question about another type. */
    QuestionKey withType(int other) {
        return new QuestionKey(name, other, checkingDisabled, subnet);
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

    /** What to tell upstream of the client; null for nothing. */
    @Nullable ClientSubnet subnet() {
        return subnet;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QuestionKey that
                && that.hash == hash
                && that.type == type
                && that.checkingDisabled == checkingDisabled
                && Objects.equals(that.subnet, subnet)
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
