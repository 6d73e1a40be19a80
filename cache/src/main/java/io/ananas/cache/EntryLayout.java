package io.ananas.cache;

import io.ananas.message.RecordType;

/**
 * An entry of the log: everything the cache knows of one question.
 *
 * <pre>
 *  0        4
 *  +--------+--------------+----------------------------------------------+
 *  | header | name, coded  | body                                         |
 *  +--------+--------------+----------------------------------------------+
 *
 *  header   bits  0-20  expiry: the second at which the answer ends, modulo 2^21
 *           bits 21-24  lifetime class, see {@link Lifetime}
 *           bits 25-30  form: 0 general, otherwise the short form of a type and a number of records
 *           bit  31     authenticated (AD)
 * </pre>
 *
 * <b>Short form</b>, for what nine of ten answers are: NOERROR, one RRset of the asked name and
 * type in the answer section, class IN, nothing else. The form tells type and number of records,
 * and the TTL of the records is what is left until expiry, so that the body is bare rdata: 4 octets
 * per A record, 16 per AAAA, and for TXT records of a single string the string with its length
 * octet.
 *
 * <p><b>General form</b>: the body is a {@link GeneralLayout}.
 *
 * <p>Expiry times wrap after 24 days; {@link Shard#sweep} removes an entry long before its time
 * could be mistaken for one ahead. The length of an entry is not stored: the coded name ends
 * itself, and so does the body.
 */
final class EntryLayout {
    static final int HEADER = 4;
    static final int EXPIRY_BITS = 21;
    static final int EXPIRY_MASK = (1 << EXPIRY_BITS) - 1;
    static final int LIFETIME_SHIFT = 21;
    static final int LIFETIME_MASK = 15;
    static final int FORM_SHIFT = 25;
    static final int FORM_MASK = 63;
    static final int AUTHENTICATED = 1 << 31;

    static final int GENERAL = 0;
    static final int FORM_A = 1;
    static final int MAX_A = 16;
    static final int FORM_AAAA = FORM_A + MAX_A;
    static final int MAX_AAAA = 16;
    static final int FORM_TXT = FORM_AAAA + MAX_AAAA;
    static final int MAX_TXT = 8;
    static final int FORMS = FORM_TXT + MAX_TXT;

    /** The longest time to come or gone by that an expiry can express, in seconds (12 days). */
    static final int EXPIRY_RANGE = 1 << (EXPIRY_BITS - 1);

    /** Asked with CD=1 and not validated: an entry of its own (RFC 6840, section 5.9). */
    static final int VARIANT_UNCHECKED = 1;

    private EntryLayout() {}

    /** Seconds until expiry; negative once it is past. */
    static int remaining(int header, int now) {
        return (header - now) << (32 - EXPIRY_BITS) >> (32 - EXPIRY_BITS);
    }

    static int header(int expiry, int lifetimeClass, int form, boolean authenticated) {
        return (expiry & EXPIRY_MASK)
                | lifetimeClass << LIFETIME_SHIFT
                | form << FORM_SHIFT
                | (authenticated ? AUTHENTICATED : 0);
    }

    static int form(int header) {
        return header >>> FORM_SHIFT & FORM_MASK;
    }

    static int lifetimeClass(int header) {
        return header >>> LIFETIME_SHIFT & LIFETIME_MASK;
    }

    /** The form of one record of a type; {@link #GENERAL} if the type has no short form. */
    static int firstForm(int type) {
        return switch (type) {
            case RecordType.A -> FORM_A;
            case RecordType.AAAA -> FORM_AAAA;
            case RecordType.TXT -> FORM_TXT;
            default -> GENERAL;
        };
    }

    /** The most records of a type that the short form takes. */
    static int maxCount(int type) {
        return switch (type) {
            case RecordType.A -> MAX_A;
            case RecordType.AAAA -> MAX_AAAA;
            case RecordType.TXT -> MAX_TXT;
            default -> 0;
        };
    }

    /** The type of a short form. */
    static int typeOf(int form) {
        if (form < FORM_AAAA) {
            return RecordType.A;
        }
        return form < FORM_TXT ? RecordType.AAAA : RecordType.TXT;
    }

    /** Records of a short form. */
    static int countOf(int form) {
        if (form < FORM_AAAA) {
            return form - FORM_A + 1;
        }
        return form < FORM_TXT ? form - FORM_AAAA + 1 : form - FORM_TXT + 1;
    }
}
