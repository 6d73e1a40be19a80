package io.ananas.transport;

import io.ananas.message.Memory;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryHandler;

/** Sends each packet back with the QR bit set. */
final class EchoHandler implements QueryHandler {
    @Override
    public void handle(QueryBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            echo(batch, i);
        }
    }

    static void echo(QueryBatch batch, int i) {
        final int length = batch.queryLength(i);
        Memory.copy(batch.queryAddress(i), batch.replyAddress(i), length);
        Memory.putByte(batch.replyAddress(i) + 2, Memory.getByte(batch.replyAddress(i) + 2) | 0x80);
        batch.reply(i, length);
    }
}
