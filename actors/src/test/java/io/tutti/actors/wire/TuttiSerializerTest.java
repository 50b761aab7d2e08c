package io.tutti.actors.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import java.io.NotSerializableException;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.SerializationTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The serialiser inside a real actor system, set up by the module's own reference.conf alone. */
final class TuttiSerializerTest {

    private static final Incarnation RANK = new Incarnation(3, "life-1", "process-1");
    private static final Term TERM = new Term(4, "coordinator-a");

    private static WireSystem wire;

    @BeforeAll
    static void start() {
        wire = new WireSystem();
    }

    @AfterAll
    static void stop() {
        wire.close();
    }

    @Test
    void referenceConfBindsBothEnvelopesToTheFixedIdentifier() throws NotSerializableException {
        for (Class<?> envelope : WireMessage.class.getPermittedSubclasses()) {
            assertThat(wire.serialization().serializerFor(envelope).identifier())
                    .as(envelope.getName())
                    .isEqualTo(7788);
        }
        assertThat(wire.serializer().manifest(hello(wire.remoteRank()))).isEqualTo("C1");
        assertThat(wire.serializer().manifest(welcome())).isEqualTo("R1");
    }

    @Test
    void pekkosOwnCheckPassesForBothEnvelopes() {
        SerializationTestKit check = new SerializationTestKit(wire.system());
        check.verifySerialization(hello(wire.remoteRank()), true);
        check.verifySerialization(welcome(), true);
    }

    @Test
    void aReplyAddressThatTravelledStillReachesItsActor() {
        TestProbe<ToRank> rank = wire.kit().createTestProbe(ToRank.class);
        ActorRef<WireMessage> coordinator = wire.kit()
                .spawn(Behaviors.receive(WireMessage.class)
                        .onMessage(ToCoordinator.class, asked -> {
                            asked.replyTo().tell(welcome());
                            return Behaviors.same();
                        })
                        .build());

        coordinator.tell(hello(rank.getRef()));

        assertThat(rank.expectMessageClass(ToRank.class, Duration.ofSeconds(10)))
                .isEqualTo(welcome());
    }

    @Test
    void anUnknownManifestIsRefusedByName() {
        byte[] bytes = wire.bytes(welcome());
        assertThatExceptionOfType(NotSerializableException.class)
                .isThrownBy(() -> wire.serializer().fromBinary(bytes, "R9"))
                .withMessageContaining("manifest=R9");
    }

    @Test
    void aClassThatIsNoWireMessageIsRefusedByName() {
        assertThatThrownBy(() -> wire.serializer().toBinary("text"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.String");
    }

    @Test
    void aMessageThatRemotingWouldDropIsRefusedBeforeItIsSent() {
        WireMessage large = failed("x".repeat(300 * 1024));
        assertThatThrownBy(() -> wire.serializer().toBinary(large))
                .isInstanceOf(MessageTooLargeException.class)
                .hasMessageContaining("message=Failed")
                .hasMessageContaining("communicator=tp0")
                .hasMessageContaining("limit=" + (240 * 1024))
                .hasMessageContaining("pekko.remote.artery.advanced.maximum-frame-size=" + (256 * 1024));
    }

    @Test
    void aSenderCanAskOnItsOwnThread() {
        SizeCheck check = SizeCheck.of(wire.system());
        check.check(welcome());
        assertThatThrownBy(() -> check.check(failed("x".repeat(300 * 1024))))
                .isInstanceOf(MessageTooLargeException.class);
    }

    @Test
    void theBoundIsExact() {
        int rest = wire.bytes(failed("x".repeat(200 * 1024))).length - 200 * 1024;
        int largest = 240 * 1024 - rest;
        assertThat(wire.bytes(failed("x".repeat(largest)))).hasSize(240 * 1024);
        assertThatThrownBy(() -> wire.bytes(failed("x".repeat(largest + 1))))
                .isInstanceOf(MessageTooLargeException.class);
    }

    @Test
    void anEnvelopeWithoutCommunicatorOrInstanceCannotBeMade() {
        assertThatThrownBy(() -> new ToRank("", "i", welcome().message())).isInstanceOf(WireFormatException.class);
        assertThatThrownBy(() -> new ToRank("tp0", "", welcome().message())).isInstanceOf(WireFormatException.class);
    }

    @Test
    void aNegativeSizeIsRefusedBeforeItIsSent() {
        WireMessage wrong =
                new ToCoordinator("tp0", "i", wire.remoteRank(), new CoordinatorMessage.Hello(RANK, -1, 1, Term.NONE));
        assertThatThrownBy(() -> wire.bytes(wrong))
                .isInstanceOf(WireFormatException.class)
                .hasMessageContaining("worldSize=-1");
    }

    private static ToCoordinator hello(ActorRef<ToRank> replyTo) {
        return new ToCoordinator(
                "tp0", "instance-1", replyTo, new CoordinatorMessage.Hello(RANK, 4, ProtocolVersion.CURRENT, TERM));
    }

    private static ToRank welcome() {
        return new ToRank("tp0", "instance-1", new RankMessage.Welcome(TERM, RANK));
    }

    private static ToRank failed(String words) {
        ErrorInfo error = ErrorInfo.of(ErrorCode.INTERNAL, words, "none");
        return new ToRank("tp0", "instance-1", new RankMessage.Failed(TERM, RANK, error));
    }
}
