package io.ananas.cache;

import io.ananas.message.Memory;
import io.ananas.message.QueryView;
import java.lang.invoke.VarHandle;

/**
 * Finds the answer for a client's subnet (RFC 7871, section 7.3.1): the one for the longest prefix
 * that fits. Which prefix lengths have answers stands in a note beside them, so that no length is
 * tried in vain; checked and unchecked answers have a note each. Part of a {@link CacheReader}.
 */
final class SubnetLookup {
    /** Octets of scratch: a subnet field and two notes. */
    static final int SCRATCH = 128;

    private static final int NONE = 0;

    private final ShardReader shards;
    private final KeyHash hashes;
    private final EntryKey key = new EntryKey();
    private final long subnet;
    private final long checkedScopes;
    private final long uncheckedScopes;
    private int prefix;
    private boolean unchecked;

    /**
     * @param scratch {@link #SCRATCH} octets
     */
    SubnetLookup(ShardReader shards, KeyHash hashes, long scratch) {
        this.shards = shards;
        this.hashes = hashes;
        subnet = scratch;
        checkedScopes = scratch + SCRATCH / 2;
        uncheckedScopes = checkedScopes + ScopesLayout.LENGTH;
    }

    /**
     * Writes the answer for the longest prefix that fits.
     *
     * @param family 1 or 2
     * @param address where the address stands, 4 octets or 16
     * @param source bits of it that count
     * @param stale seconds that the answer may be too old
     * @return octets of the response; 0 if there is none
     */
    int find(
            QueryView query,
            int family,
            long address,
            int source,
            int now,
            long reply,
            int limit,
            int stale) {
        final boolean ofChecked = copyScopes(query, 0, checkedScopes, now, stale);
        final boolean ofUnchecked =
                query.checkingDisabled()
                        && copyScopes(query, GeneralLayout.UNCHECKED, uncheckedScopes, now, stale);
        if (!ofChecked && !ofUnchecked) {
            return NONE;
        }
        for (prefix = source; prefix >= Math.min(1, source); prefix--) {
            SubnetField.put(subnet, family, prefix, address);
            int length = NONE;
            unchecked = false;
            if (ofChecked && ScopesLayout.has(checkedScopes, family, prefix)) {
                length = answer(query, 0, now, reply, limit, stale);
            }
            if (length <= 0 && ofUnchecked && ScopesLayout.has(uncheckedScopes, family, prefix)) {
                length = answer(query, GeneralLayout.UNCHECKED, now, reply, limit, stale);
                unchecked = true;
            }
            if (length > 0) {
                return length;
            }
        }
        return NONE;
    }

    /** The prefix of the answer found. */
    int prefix() {
        return prefix;
    }

    /** Whether the answer found is one that was not validated. */
    boolean isUnchecked() {
        return unchecked;
    }

    private int answer(QueryView query, int flags, int now, long reply, int limit, int stale) {
        key.set(query.nameAddress(), query.nameLength(), query.type(), flags);
        key.setSubnet(subnet);
        final long variant = EntryKey.variant(flags | GeneralLayout.SUBNET, subnet);
        final long wanted =
                hashes.of(query.nameAddress(), query.nameLength(), query.type(), variant);
        return shards.answer(query, wanted, key, now, reply, limit, stale);
    }

    /** Copies the note of the prefix lengths; false if there is none that is alive. */
    private boolean copyScopes(QueryView query, int flags, long to, int now, int stale) {
        final int own = GeneralLayout.SCOPES | flags;
        key.set(query.nameAddress(), query.nameLength(), query.type(), own);
        final long wanted = hashes.of(query.nameAddress(), query.nameLength(), query.type(), own);
        final long shard = shards.shard(wanted);
        for (int attempt = 0; attempt < ShardReader.MAX_ATTEMPTS; attempt++) {
            final int sequence = Memory.getIntAcquire(shard + ShardLayout.SEQUENCE);
            final boolean found = copyScopes(query, shard, wanted, to, now, stale);
            VarHandle.loadLoadFence();
            if ((sequence & 1) == 0 && Memory.getIntLE(shard + ShardLayout.SEQUENCE) == sequence) {
                return found;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    private boolean copyScopes(
            QueryView query, long shard, long wanted, long to, int now, int stale) {
        final int buckets = Memory.getIntLE(shard + ShardLayout.BUCKETS);
        final long index = shards.index(shard, buckets);
        final int place = Index.locate(index, buckets, wanted, shard, key);
        if (place == Index.NOT_FOUND) {
            return false;
        }
        final long bucket = index + (long) (place >> 4) * BucketLayout.SIZE;
        final long entry = shard + Index.offset(bucket, place & 15);
        final long body = entry + EntryLayout.HEADER + key.codeLength();
        final long at = body + 2 + GeneralLayout.typeLength(query.type());
        Memory.copy(at, to, ScopesLayout.LENGTH);
        Index.touch(bucket, place & 15);
        return EntryLayout.remaining(Memory.getIntLE(entry), now) > -stale;
    }
}
