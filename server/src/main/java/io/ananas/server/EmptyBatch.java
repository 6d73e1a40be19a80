package io.ananas.server;

import io.ananas.message.QueryBatch;

/** No packets: what a {@link Round} holds before its first. */
enum EmptyBatch implements QueryBatch {
    INSTANCE;

    @Override
    public int size() {
        return 0;
    }

    @Override
    public long queryAddress(int i) {
        throw none();
    }

    @Override
    public int queryLength(int i) {
        throw none();
    }

    @Override
    public long replyAddress(int i) {
        throw none();
    }

    @Override
    public int replyCapacity(int i) {
        throw none();
    }

    @Override
    public void reply(int i, int length) {
        throw none();
    }

    @Override
    public boolean isStream(int i) {
        throw none();
    }

    @Override
    public long clientAddress(int i) {
        throw none();
    }

    @Override
    public int clientAddressLength(int i) {
        throw none();
    }

    @Override
    public Pending detach(int i) {
        throw none();
    }

    private static IndexOutOfBoundsException none() {
        return new IndexOutOfBoundsException("an empty batch has no packets");
    }
}
