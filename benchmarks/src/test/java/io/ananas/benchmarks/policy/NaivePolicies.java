package io.ananas.benchmarks.policy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/** The policies once more, as plainly as they can be said: lists, newest first. */
final class NaivePolicies {
    private NaivePolicies() {}

    /** What they share: a list, newest first. */
    abstract static class Listed implements EvictionPolicy {
        final List<Integer> list = new ArrayList<>();
        final int capacity;

        Listed(int capacity) {
            this.capacity = capacity;
        }

        @Override
        public boolean contains(int key) {
            return list.contains(key);
        }

        @Override
        public void renew(int key) {
            hit(key);
        }

        @Override
        public int size() {
            return list.size();
        }
    }

    static final class Fifo extends Listed {
        Fifo(int capacity) {
            super(capacity);
        }

        @Override
        public void hit(int key) {}

        @Override
        public void insert(int key) {
            if (list.size() == capacity) {
                list.removeLast();
            }
            list.addFirst(key);
        }
    }

    static final class Lru extends Listed {
        Lru(int capacity) {
            super(capacity);
        }

        @Override
        public void hit(int key) {
            list.removeIf(kept -> kept == key);
            list.addFirst(key);
        }

        @Override
        public void insert(int key) {
            if (list.size() == capacity) {
                list.removeLast();
            }
            list.addFirst(key);
        }
    }

    static final class Clock extends Listed {
        private final Set<Integer> asked = new HashSet<>();

        Clock(int capacity) {
            super(capacity);
        }

        @Override
        public void hit(int key) {
            asked.add(key);
        }

        @Override
        public void insert(int key) {
            while (list.size() == capacity) {
                final int last = list.removeLast();
                if (asked.remove(last)) {
                    list.addFirst(last);
                }
            }
            list.addFirst(key);
        }
    }

    /** The hand is a position, counted from the end. */
    static final class Sieve extends Listed {
        private final Set<Integer> visited = new HashSet<>();
        private int fromEnd;

        Sieve(int capacity) {
            super(capacity);
        }

        @Override
        public void hit(int key) {
            visited.add(key);
        }

        @Override
        public void insert(int key) {
            if (list.size() == capacity) {
                while (true) {
                    if (fromEnd == list.size()) {
                        fromEnd = 0;
                    }
                    final int at = list.size() - 1 - fromEnd;
                    if (!visited.remove(list.get(at))) {
                        list.subList(at, at + 1).clear();
                        fromEnd = fromEnd == list.size() ? 0 : fromEnd;
                        break;
                    }
                    fromEnd++;
                }
            }
            list.addFirst(key);
        }
    }

    static final class S3Fifo implements EvictionPolicy {
        private final ArrayDeque<Integer> small = new ArrayDeque<>();
        private final ArrayDeque<Integer> main = new ArrayDeque<>();
        private final ArrayDeque<Integer> ghost = new ArrayDeque<>();
        private final Map<Integer, Integer> count = new HashMap<>();
        private final int capacity;
        private final int smallCapacity;

        S3Fifo(int capacity) {
            this.capacity = capacity;
            smallCapacity = Math.max(1, capacity / 10);
        }

        @Override
        public boolean contains(int key) {
            return small.contains(key) || main.contains(key);
        }

        @Override
        public void hit(int key) {
            count.merge(key, 1, (a, b) -> Math.min(3, a + b));
        }

        @Override
        public void renew(int key) {
            hit(key);
        }

        @Override
        public void insert(int key) {
            final boolean known = ghost.remove(key);
            while (size() >= capacity) {
                if (small.size() >= smallCapacity || main.isEmpty()) {
                    final int last = small.removeLast();
                    if (count.getOrDefault(last, 0) > 1) {
                        count.put(last, 0);
                        main.addFirst(last);
                    } else {
                        ghost.addFirst(last);
                        if (ghost.size() > capacity - smallCapacity) {
                            ghost.removeLast();
                        }
                    }
                } else {
                    final int last = main.removeLast();
                    if (count.getOrDefault(last, 0) > 0) {
                        count.merge(last, -1, Integer::sum);
                        main.addFirst(last);
                    }
                }
            }
            count.put(key, 0);
            (known ? main : small).addFirst(key);
        }

        @Override
        public int size() {
            return small.size() + main.size();
        }
    }

    /** Two lists and two maps from a place to the tag of who left. */
    static final class TwoQueues implements EvictionPolicy {
        private final List<Integer> small = new ArrayList<>();
        private final List<Integer> main = new ArrayList<>();
        private final Map<Integer, Integer> leftSmall = new HashMap<>();
        private final Map<Integer, Integer> leftMain = new HashMap<>();
        private final Map<Integer, Integer> marks = new HashMap<>();
        private final int capacity;
        private final int smallPlaces;
        private final int mainPlaces;
        private final IntPredicate expired;
        private double target;

        TwoQueues(int capacity, IntPredicate expired) {
            this.capacity = capacity;
            this.expired = expired;
            final int places = (int) Math.ceil(capacity * 10 / (15 * 0.955));
            mainPlaces = Math.max(1, places / 4);
            smallPlaces = Math.max(1, places - places / 4);
            target = Math.max(1, capacity / 10.0);
        }

        @Override
        public boolean contains(int key) {
            return small.contains(key) || main.contains(key);
        }

        @Override
        public void hit(int key) {
            marks.merge(key, 1, (a, b) -> Math.min(3, a + b));
        }

        @Override
        public void renew(int key) {
            hit(key);
        }

        @Override
        public void insert(int key) {
            final boolean toMain = cameBack(key);
            int copies = 0;
            while (size() >= capacity) {
                final boolean fromSmall =
                        !small.isEmpty() && (small.size() >= target || main.isEmpty());
                final int last = fromSmall ? small.removeLast() : main.removeLast();
                if (copies < 16 && marks.getOrDefault(last, 0) > 0 && !expired.test(last)) {
                    copies++;
                    marks.put(last, fromSmall || marks.getOrDefault(last, 0) == 1 ? 0 : 1);
                    main.addFirst(last);
                } else if (fromSmall) {
                    leftSmall.put(place(last, smallPlaces), tag(last));
                } else {
                    leftMain.put(place(last, mainPlaces), tag(last));
                }
            }
            marks.put(key, 0);
            (toMain ? main : small).addFirst(key);
        }

        private boolean cameBack(int key) {
            if (leftMain.remove(place(key, mainPlaces), tag(key))) {
                target = Math.max(target - 2.5, Math.max(1, 0.02 * capacity));
                return true;
            }
            if (leftSmall.remove(place(key, smallPlaces), tag(key))) {
                target = Math.min(target + 1, 0.9 * capacity);
                return true;
            }
            return false;
        }

        private static int place(int key, int places) {
            return (int) (((QueuesPolicy.hash(key) >>> 32) * places) >>> 32);
        }

        private static int tag(int key) {
            return Math.max(1, (int) QueuesPolicy.hash(key) & 0xff);
        }

        @Override
        public int size() {
            return small.size() + main.size();
        }
    }

    /** ARC as Figure 4 of its paper has it, with four lists. */
    static final class Arc implements EvictionPolicy {
        final List<Integer> t1 = new ArrayList<>();
        final List<Integer> t2 = new ArrayList<>();
        final List<Integer> b1 = new ArrayList<>();
        final List<Integer> b2 = new ArrayList<>();
        final int c;
        int p;

        Arc(int capacity) {
            c = capacity;
        }

        @Override
        public boolean contains(int key) {
            return t1.contains(key) || t2.contains(key);
        }

        @Override
        public void hit(int key) {
            t1.removeIf(kept -> kept == key);
            t2.removeIf(kept -> kept == key);
            t2.addFirst(key);
        }

        @Override
        public void renew(int key) {
            hit(key);
        }

        @Override
        public void insert(int key) {
            if (b1.contains(key)) {
                p = Math.min(c, p + Math.max(1, b2.size() / b1.size()));
                replace(false);
                b1.removeIf(kept -> kept == key);
                t2.addFirst(key);
                return;
            }
            if (b2.contains(key)) {
                p = Math.max(0, p - Math.max(1, b1.size() / b2.size()));
                replace(true);
                b2.removeIf(kept -> kept == key);
                t2.addFirst(key);
                return;
            }
            final int all = t1.size() + t2.size() + b1.size() + b2.size();
            if (t1.size() + b1.size() == c) {
                if (t1.size() < c) {
                    b1.removeLast();
                    replace(false);
                } else {
                    t1.removeLast();
                }
            } else if (all >= c) {
                if (all == 2 * c) {
                    b2.removeLast();
                }
                replace(false);
            }
            t1.addFirst(key);
        }

        private void replace(boolean inB2) {
            if (size() < c) {
                return;
            }
            if ((!t1.isEmpty() && (t1.size() > p || (inB2 && t1.size() == p))) || t2.isEmpty()) {
                b1.addFirst(t1.removeLast());
            } else {
                b2.addFirst(t2.removeLast());
            }
        }

        @Override
        public int size() {
            return t1.size() + t2.size();
        }
    }
}
