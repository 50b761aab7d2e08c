package io.tutti.actors.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.junit.jupiter.api.Test;

/** Messages that really cross a socket between two actor systems. */
final class WireBetweenSystemsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void everyMessageArrivesEqualAndItsReplyAddressLeadsBack() {
        try (WireSystem here = new WireSystem();
                WireSystem there = new WireSystem()) {
            TestProbe<ToRank> rank = here.kit().createTestProbe("rank", ToRank.class);
            TestProbe<ToCoordinator> coordinator = there.kit().createTestProbe("coordinator", ToCoordinator.class);
            ActorRef<ToCoordinator> coordinatorSeenFromHere = ActorRefResolver.get(here.system())
                    .resolveActorRef(ActorRefResolver.get(there.system()).toSerializationFormat(coordinator.getRef()));

            Map<String, WireMessage> samples = Samples.all(rank.getRef());
            samples.forEach((name, sample) -> {
                if (sample instanceof ToCoordinator sent) {
                    coordinatorSeenFromHere.tell(sent);
                    ToCoordinator arrived = coordinator.receiveMessage(PATIENCE);
                    assertThat(arrived.message()).as(name).isEqualTo(sent.message());
                    assertThat(arrived.replyTo().path().address().getPort()).isPresent();
                    answers(samples).forEach(answer -> {
                        arrived.replyTo().tell(answer);
                        assertThat(rank.receiveMessage(PATIENCE)).isEqualTo(answer);
                    });
                }
            });
        }
    }

    private static Stream<ToRank> answers(Map<String, WireMessage> samples) {
        return samples.values().stream().filter(ToRank.class::isInstance).map(ToRank.class::cast);
    }
}
