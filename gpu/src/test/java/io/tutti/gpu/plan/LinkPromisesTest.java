package io.tutti.gpu.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LinkPromisesTest {

    private static RankFacts promising(RankFacts facts, long bytesPerSecond) {
        return FactsFixture.links(
                facts, new LinkFacts(facts.links().peerDeviceUuids(), facts.fabric(), bytesPerSecond));
    }

    @Test
    void theSlowerOfBothEndsDecidesAndNothingIsPromisedToOneself() {
        List<RankFacts> facts = FactsFixture.world(1, 3);
        List<RankFacts> linked =
                List.of(promising(facts.get(0), 50), promising(facts.get(1), 20), promising(facts.get(2), 90));

        assertThat(LinkPromises.of(linked, 0)).containsExactly(0L, 20L, 50L);
        assertThat(LinkPromises.of(linked, 2)).containsExactly(50L, 20L, 0L);
    }

    @Test
    void aDriverThatDoesNotTellPromisesNothing() {
        List<RankFacts> facts = FactsFixture.world(1, 2);

        assertThat(LinkPromises.of(List.of(promising(facts.get(0), 50), facts.get(1)), 0))
                .containsExactly(0L, 0L);
    }
}
