package io.ananas.benchmarks.policy;

/**
 * ARC, the adaptive replacement cache (Megiddo and Modha, FAST 2003), Figure 4 of the paper: two
 * lists of what is kept, two of what left, and a target for the first that follows where the ghosts
 * are found.
 */
final class ArcPolicy implements EvictionPolicy {
    static final int T1 = 0;
    static final int T2 = 1;
    static final int B1 = 2;
    static final int B2 = 3;

    private final KeyLists lists;
    private final int capacity;
    private int target;

    ArcPolicy(int capacity, int keys) {
        this.capacity = capacity;
        lists = new KeyLists(4, keys);
    }

    int size(int list) {
        return lists.size(list);
    }

    /** The size that T1 should have. */
    int target() {
        return target;
    }

    @Override
    public boolean contains(int key) {
        return lists.listOf(key) == T1 || lists.listOf(key) == T2;
    }

    @Override
    public void hit(int key) {
        lists.moveToFront(T2, key);
    }

    @Override
    public void insert(int key) {
        final int ghost = lists.listOf(key);
        final int b1 = lists.size(B1);
        final int b2 = lists.size(B2);
        if (ghost == B1) {
            target = Math.min(capacity, target + Math.max(1, b2 / b1));
            replace(false);
            lists.moveToFront(T2, key);
        } else if (ghost == B2) {
            target = Math.max(0, target - Math.max(1, b1 / b2));
            replace(true);
            lists.moveToFront(T2, key);
        } else {
            makeRoom();
            lists.pushFront(T1, key);
        }
    }

    private void makeRoom() {
        final int recent = lists.size(T1) + lists.size(B1);
        final int all = recent + lists.size(T2) + lists.size(B2);
        if (recent == capacity) {
            if (lists.size(T1) < capacity) {
                lists.popBack(B1);
                replace(false);
            } else {
                lists.popBack(T1);
            }
        } else if (all >= capacity) {
            if (all == 2 * capacity) {
                lists.popBack(B2);
            }
            replace(false);
        }
    }

    private void replace(boolean inB2) {
        if (size() < capacity) {
            return;
        }
        final int t1 = lists.size(T1);
        if ((t1 > 0 && (t1 > target || (inB2 && t1 == target))) || lists.size(T2) == 0) {
            lists.moveToFront(B1, lists.back(T1));
        } else {
            lists.moveToFront(B2, lists.back(T2));
        }
    }

    @Override
    public void renew(int key) {
        hit(key);
    }

    @Override
    public int size() {
        return lists.size(T1) + lists.size(T2);
    }
}
