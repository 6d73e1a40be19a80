package io.ananas.message;

/**
 * The names of one message in a byte array, compressed or not (RFC 1035, section 4.1.4).
 *
 * <p>A message is hostile until checked (RFC 9267, section 2). So:
 *
 * <ul>
 *   <li>A pointer must go strictly backwards: below the place where the run of labels that it ends
 *       began, and not into the header. No name can then hold itself, and every chain ends.
 *   <li>A name has at most 255 octets and 126 pointers, one before each label but the first.
 *   <li>As thousands of records may each name one long chain, all names checked in a message may
 *       expand to 1 MiB together, pointers counted as an octet. What is legitimate stays far below:
 *       the fullest message has some 12,000 names, which leaves 85 octets for each of them.
 *   <li>The name pointed to last is remembered, so the usual message, where every owner is a
 *       pointer to the question, costs one step per record.
 * </ul>
 *
 * <p>{@link #expand}, {@link #skip} and {@link #same} are for names that have passed {@link
 * #check}. On others they end, and never reach beyond the message, but what they say is worthless.
 */
final class WireNames {
    static final int MAX_POINTERS = 126;
    static final int MAX_EXPANDED = 1 << 20;

    private byte[] message = new byte[0];
    private int length;
    private int end;
    private int octets;
    private int pointers;
    private int expanded;
    private int lastTarget;
    private int lastOctets;
    private int lastPointers;

    void reset(byte[] message, int length) {
        this.message = message;
        this.length = length;
        end = 0;
        octets = 0;
        pointers = 0;
        expanded = 0;
        lastTarget = -1;
    }

    /** Checks the name at {@code start} and charges it to the budget; see {@link #end()}. */
    Fault check(int start) {
        final Fault fault = measure(start);
        expanded += octets + pointers;
        return fault == Fault.NONE && expanded > MAX_EXPANDED ? Fault.WORK : fault;
    }

    /** Where the name checked last ends in the message: behind its root label or first pointer. */
    int end() {
        return end;
    }

    /** Octets of the name at {@code offset} when uncompressed, 1 to 255; -1 if it is unsound. */
    int expandedLength(int offset) {
        return offset >= MessageLayout.HEADER_LENGTH && measure(offset) == Fault.NONE ? octets : -1;
    }

    private Fault measure(int start) {
        octets = 0;
        pointers = 0;
        end = start;
        int at = start;
        int runStart = start;
        int firstTarget = -1;
        int octetsBefore = 0;
        while (at < length) {
            final int label = message[at] & 0xff;
            if (label == 0) {
                octets++;
                if (firstTarget < 0) {
                    end = at + 1;
                } else {
                    remember(firstTarget, octets - octetsBefore, pointers - 1);
                }
                return Fault.NONE;
            }
            if (label <= MessageLayout.MAX_LABEL) {
                octets += 1 + label;
                at += 1 + label;
                if (octets >= MessageLayout.MAX_NAME) {
                    return Fault.NAME;
                }
            } else {
                final Fault fault = checkPointer(at, runStart);
                if (fault != Fault.NONE) {
                    return fault;
                }
                at = target(at);
                runStart = at;
                if (firstTarget < 0) {
                    firstTarget = at;
                    octetsBefore = octets;
                    if (at == lastTarget) {
                        return recall();
                    }
                }
            }
        }
        return Fault.TRUNCATED;
    }

    private Fault checkPointer(int at, int runStart) {
        if ((message[at] & 0xff) < 0xc0) {
            return Fault.LABEL;
        }
        if (at + 1 >= length) {
            return Fault.TRUNCATED;
        }
        final int target = target(at);
        if (target >= runStart || target < MessageLayout.HEADER_LENGTH) {
            return Fault.POINTER;
        }
        if (pointers++ == 0) {
            end = at + 2;
        }
        return pointers > MAX_POINTERS ? Fault.NAME : Fault.NONE;
    }

    private void remember(int target, int itsOctets, int itsPointers) {
        lastTarget = target;
        lastOctets = itsOctets;
        lastPointers = itsPointers;
    }

    private Fault recall() {
        octets += lastOctets;
        pointers += lastPointers;
        return octets > MessageLayout.MAX_NAME || pointers > MAX_POINTERS ? Fault.NAME : Fault.NONE;
    }

    private int target(int pointer) {
        return (message[pointer] & 0x3f) << 8 | (message[pointer + 1] & 0xff);
    }

    /**
     * Copies the name at {@code offset} uncompressed to {@code target}.
     *
     * @return the position behind the copy; -1 if the name is unsound
     */
    int expand(int offset, byte[] target, int start) {
        int to = start;
        int at = follow(offset);
        while (at >= 0) {
            final int size = 1 + message[at];
            if (to + size - start > MessageLayout.MAX_NAME) {
                return -1;
            }
            System.arraycopy(message, at, target, to, size);
            to += size;
            if (size == 1) {
                return to;
            }
            at = follow(at + size);
        }
        return -1;
    }

    /** Where the name at {@code offset} ends in the message; -1 if it is unsound. */
    int skip(int offset) {
        int at = offset;
        while (at >= 0 && at < length) {
            final int label = message[at] & 0xff;
            if (label == 0) {
                return at + 1;
            }
            if (label > MessageLayout.MAX_LABEL) {
                return label >= 0xc0 && at + 2 <= length ? at + 2 : -1;
            }
            at += 1 + label;
        }
        return -1;
    }

    /** Whether two names are equal but for the case of ASCII letters. */
    boolean same(int offsetA, int offsetB) {
        int a = follow(offsetA);
        int b = follow(offsetB);
        for (int compared = 0; a >= 0 && b >= 0; ) {
            if (a == b) {
                return true;
            }
            final int size = 1 + message[a];
            for (int i = 0; i < size; i++) {
                if (Name.lower(message[a + i]) != Name.lower(message[b + i])) {
                    return false;
                }
            }
            compared += size;
            if (size == 1 || compared >= MessageLayout.MAX_NAME) {
                return size == 1;
            }
            a = follow(a + size);
            b = follow(b + size);
        }
        return false;
    }

    /** Where the label at {@code offset} stands, behind any pointers; -1 if it is unsound. */
    private int follow(int offset) {
        int at = offset;
        for (int i = 0; i <= MAX_POINTERS && at >= 0 && at < length; i++) {
            final int label = message[at] & 0xff;
            if (label <= MessageLayout.MAX_LABEL) {
                return at + 1 + label <= length ? at : -1;
            }
            if (label < 0xc0 || at + 1 >= length) {
                return -1;
            }
            at = target(at);
        }
        return -1;
    }
}
