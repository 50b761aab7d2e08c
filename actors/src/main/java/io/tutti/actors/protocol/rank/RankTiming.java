package io.tutti.actors.protocol.rank;

import java.time.Duration;

/**
 * How long a rank waits for what.
 *
 * @param helloFast between hellos until one is answered
 * @param helloSlow between hellos after that
 * @param resend between repetitions of what is not answered
 * @param patience for the coordinator's next word about an epoch; longer than any stage and than draining may take
 * @param leave for being told that the communicator is closed, and again for the device to drain
 */
public record RankTiming(Duration helloFast, Duration helloSlow, Duration resend, Duration patience, Duration leave) {

    /** Defaults for ranks on one or a few hosts. */
    public static RankTiming standard() {
        return new RankTiming(
                Duration.ofMillis(100),
                Duration.ofSeconds(2),
                Duration.ofMillis(500),
                Duration.ofSeconds(15),
                Duration.ofSeconds(5));
    }
}
