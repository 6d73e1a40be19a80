package io.ananas.benchmarks.policy;

import java.util.Arrays;

/**
 * Doubly linked lists of numbered keys, each key in one list at most; front and back of a list by
 * its number. Links are arrays over all keys.
 */
final class KeyLists {
    static final int NONE = -1;

    private final int[] before;
    private final int[] after;
    private final byte[] list;
    private final int[] front;
    private final int[] back;
    private final int[] size;

    KeyLists(int lists, int keys) {
        before = new int[keys];
        after = new int[keys];
        list = new byte[keys];
        Arrays.fill(list, (byte) NONE);
        front = new int[lists];
        back = new int[lists];
        Arrays.fill(front, NONE);
        Arrays.fill(back, NONE);
        size = new int[lists];
    }

    /** The list that a key is in, {@link #NONE} for none. */
    int listOf(int key) {
        return list[key];
    }

    int size(int of) {
        return size[of];
    }

    int back(int of) {
        return back[of];
    }

    /** The key next nearer to the front, {@link #NONE} at the front. */
    int before(int key) {
        return before[key];
    }

    void pushFront(int to, int key) {
        before[key] = NONE;
        after[key] = front[to];
        if (front[to] == NONE) {
            back[to] = key;
        } else {
            before[front[to]] = key;
        }
        front[to] = key;
        list[key] = (byte) to;
        size[to]++;
    }

    void remove(int key) {
        final int from = list[key];
        if (before[key] == NONE) {
            front[from] = after[key];
        } else {
            after[before[key]] = after[key];
        }
        if (after[key] == NONE) {
            back[from] = before[key];
        } else {
            before[after[key]] = before[key];
        }
        list[key] = NONE;
        size[from]--;
    }

    int popBack(int of) {
        final int key = back[of];
        remove(key);
        return key;
    }

    void moveToFront(int to, int key) {
        remove(key);
        pushFront(to, key);
    }
}
