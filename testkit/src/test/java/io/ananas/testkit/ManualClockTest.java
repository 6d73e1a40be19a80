package io.ananas.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ManualClockTest {
    @Test
    void standsStillUntilItIsMoved() {
        final ManualClock clock = new ManualClock();
        final Instant start = clock.instant();
        final long nanos = clock.nanoTime();
        assertThat(clock.instant()).isEqualTo(start);
        clock.advance(Duration.ofSeconds(90).plusNanos(7));
        assertThat(clock.instant()).isEqualTo(start.plusSeconds(90).plusNanos(7));
        assertThat(clock.nanoTime() - nanos).isEqualTo(90_000_000_007L);
        assertThat(clock.millis()).isEqualTo(start.toEpochMilli() + 90_000);
        clock.advance(Duration.ofSeconds(-100));
        assertThat(clock.instant()).isBefore(start);
        clock.set(Instant.EPOCH);
        assertThat(clock).hasToString("1970-01-01T00:00:00Z");
    }
}
