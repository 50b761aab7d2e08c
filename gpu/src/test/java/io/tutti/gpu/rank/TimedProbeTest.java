package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.driver.LiveObjects;
import io.tutti.gpu.host.TestTopologies;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.memory.MemoryOffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Links that crawl are found, with both figures; links that are as promised never are. */
final class TimedProbeTest {

    private static final long NANOS = Duration.ofSeconds(30).toNanos();
    private static final int FACTOR = 4;
    private static final long PROMISED = 64L << 20;
    private static final Topology.Link FAST = new Topology.Link(PROMISED, OptionalLong.empty());
    private static final Topology.Link CRAWLING = new Topology.Link(PROMISED, OptionalLong.of(2L << 20));

    private static RankGroup group(Topology.Link... links) {
        return new RankGroup(TestTopologies.linked(links), links.length, Duration.ofSeconds(30));
    }

    private static EpochId mapped(RankGroup group) {
        EpochId epoch = group.nextEpoch();
        group.each(rank -> rank.allocate(epoch, group.plan(null)));
        group.each(rank -> rank.fill(epoch, NANOS));
        List<MemoryOffer> offers = new ArrayList<>();
        group.each(rank -> offers.addAll(rank.export(epoch)));
        group.each(rank -> rank.importPeers(epoch, offers));
        return epoch;
    }

    private static List<Long> promises(int world, int self, long each) {
        List<Long> promises = new ArrayList<>(java.util.Collections.nCopies(world, each));
        promises.set(self, 0L);
        return promises;
    }

    @Test
    void linksAsFastAsPromisedPassAndNothingIsLeftBehind() throws Exception {
        try (RankGroup group = group(FAST, FAST, FAST)) {
            EpochId epoch = mapped(group);
            LiveObjects before = group.driver.live();
            group.each(rank -> rank.probe(epoch, promises(3, rank.settings().rank(), PROMISED), FACTOR, NANOS));
            assertThat(group.driver.live()).isEqualTo(before);
            group.each(rank -> rank.quiesce(NANOS));
            group.each(rank -> rank.arm(epoch, NANOS));
            group.each(rank -> rank.enter(epoch));
            GroupCall.ordinary(group, 4, 512).run();
            group.end(epoch);
        }
    }

    @Test
    void aLinkThatCrawlsIsRefusedWithBothRanksAndBothFigures() {
        try (RankGroup group = group(FAST, FAST, CRAWLING)) {
            EpochId epoch = mapped(group);
            TuttiException refused = catchThrowableOfType(
                    TuttiException.class,
                    () -> group.ranks.get(0).probe(epoch, promises(3, 0, PROMISED), FACTOR, NANOS));
            assertThat(refused.code()).isEqualTo(ErrorCode.PREFLIGHT);
            assertThat(refused.info().rank()).isZero();
            assertThat(refused)
                    .hasMessageContaining("copies from rank 0 to rank 2 crawl")
                    .hasMessageContaining("promised=67.1MB/s")
                    .hasMessageContaining("tries=5")
                    .hasMessageContaining("slowPeers=[2]");
            assertThat(refused.info().advice())
                    .containsPattern("move [0-2]\\.\\dMB/s where the link promises 67.1MB/s")
                    .contains("tutti.epoch.probe-factor");
            group.each(rank -> rank.release(epoch));
        }
    }

    @Test
    void theFactorSaysHowMuchSlowerIsAccepted() {
        try (RankGroup group = group(FAST, CRAWLING)) {
            EpochId epoch = mapped(group);
            group.ranks.get(0).probe(epoch, promises(2, 0, PROMISED), 1000, NANOS);
            group.each(rank -> rank.release(epoch));
        }
    }

    @Test
    void whereNothingIsPromisedNothingIsTimed() {
        try (RankGroup group = group(CRAWLING, CRAWLING)) {
            EpochId epoch = mapped(group);
            long start = System.nanoTime();
            group.ranks.get(0).probe(epoch, promises(2, 0, 0), FACTOR, NANOS);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(100));
            group.each(rank -> rank.release(epoch));
        }
    }
}
