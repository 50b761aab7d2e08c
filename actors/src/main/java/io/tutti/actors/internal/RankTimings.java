package io.tutti.actors.internal;

import io.tutti.actors.protocol.rank.RankTiming;
import io.tutti.config.TuttiSettings;
import java.time.Duration;

/** A rank's timing, from the settings. */
final class RankTimings {

    private RankTimings() {}

    static RankTiming of(TuttiSettings settings) {
        RankTiming standard = RankTiming.standard();
        return new RankTiming(
                min(standard.helloFast(), settings.heartbeat().interval()),
                settings.heartbeat().interval(),
                standard.resend(),
                settings.stageTimeouts().total().plus(settings.operationTimeout()),
                settings.closeTimeout());
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
