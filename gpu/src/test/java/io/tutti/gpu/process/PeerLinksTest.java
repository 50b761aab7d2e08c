package io.tutti.gpu.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.posix.LocalListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Links between services of one JVM; {@code ChildProcessesTest} kills and stops real processes. */
@Timeout(30)
final class PeerLinksTest {

    /** Remembers what it heard. */
    static final class Heard implements PeerListener {

        final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @Override
        public void onDeath(String processId) {
            events.add("death " + processId);
        }

        @Override
        public void onGoodbye(String processId) {
            events.add("goodbye " + processId);
        }

        String next() throws InterruptedException {
            String event = events.poll(Service.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return event == null ? "nothing within " + Service.PATIENCE : event;
        }
    }

    private final List<String> openBefore = OpenDescriptors.now();
    private final Heard heard = new Heard();

    @AfterEach
    void nothingIsLeft() {
        assertThat(OpenDescriptors.now()).isEqualTo(openBefore);
        assertThat(OpenDescriptors.localThreads()).isEmpty();
    }

    private static PeerLinks open(Service self, PeerListener listener, Service... peers) {
        return PeerLinks.open(
                self.service,
                java.util.Arrays.stream(peers)
                        .map(peer -> peer.service.processId())
                        .toList(),
                Service.PATIENCE,
                listener);
    }

    @Test
    void anOrderlyEndIsAGoodbyeOnBothSides() throws Exception {
        try (Service one = new Service()) {
            Heard other = new Heard();
            Service two = new Service();
            try (PeerLinks links = open(one, heard, one, two);
                    PeerLinks back = open(two, other, one, two)) {
                assertThat(links.alive()).containsExactly(two.service.processId());
                two.close();
                assertThat(heard.next()).isEqualTo("goodbye " + two.service.processId());
                assertThat(links.alive()).isEmpty();
            }
            assertThat(other.events).isEmpty();
        }
    }

    @Test
    void afterCloseNothingIsHeard() {
        try (Service one = new Service();
                Service two = new Service()) {
            PeerLinks links = open(one, heard, two);
            links.close();
            links.close();
            two.close();
            assertThat(heard.events).isEmpty();
        }
    }

    @Test
    void aListenerMayCloseItsOwnLinksAndMayFail() throws Exception {
        try (Service one = new Service();
                Service two = new Service();
                Service three = new Service()) {
            PeerLinks[] own = new PeerLinks[1];
            PeerLinks failing = open(
                    one,
                    new PeerListener() {
                        @Override
                        public void onDeath(String processId) {}

                        @Override
                        public void onGoodbye(String processId) {
                            own[0].close();
                            throw new IllegalStateException("broken on purpose");
                        }
                    },
                    two);
            own[0] = failing;
            try (PeerLinks sound = open(one, heard, two, three)) {
                two.close();
                assertThat(heard.next()).startsWith("goodbye");
                three.close();
                assertThat(heard.next()).startsWith("goodbye");
                assertThat(sound.alive()).isEmpty();
            }
        }
    }

    @Test
    void processesThatAreNotThereAreAllNamed() {
        try (Service one = new Service();
                Service two = new Service()) {
            String gone = Service.newProcessId();
            String alsoGone = Service.newProcessId();
            assertThatThrownBy(() -> PeerLinks.open(
                            one.service, List.of(gone, two.service.processId(), alsoGone), Service.PATIENCE, heard))
                    .isInstanceOfSatisfying(TuttiException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.REMOTE);
                        assertThat(e).hasMessageContaining(gone).hasMessageContaining(alsoGone);
                        assertThat(e.getMessage()).doesNotContain("process=" + two.service.processId());
                    });
        }
        assertThat(heard.events).isEmpty();
    }

    @Test
    void aProcessThatDoesNotAnswerIsNamedAtTheDeadline() throws Exception {
        String mute = Service.newProcessId();
        try (Service one = new Service();
                LocalListener listener = LocalListener.listen(LocalService.addressOf(mute), 8)) {
            assertThat(listener.descriptor()).isNotNegative();
            long start = System.nanoTime();
            assertThatThrownBy(() -> PeerLinks.open(one.service, List.of(mute), Duration.ofMillis(300), heard))
                    .isInstanceOfSatisfying(
                            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TIMEOUT))
                    .hasMessageContaining(mute);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        }
    }

    @Test
    void moreLinksThanAllowedAreRefused() {
        try (Service one = new Service();
                Service two = new Service()) {
            List<PeerLinks> many = new java.util.ArrayList<>();
            for (int i = 0; i < 8; i++) {
                many.add(open(one, heard, two));
            }
            assertThatThrownBy(() -> open(one, heard, two)).hasMessageContaining("TOO_MANY_LINKS");
            many.forEach(PeerLinks::close);
        }
    }

    @Test
    void linksOfAClosedServiceAreClosed() {
        Service one = new Service();
        try (Service two = new Service()) {
            one.close();
            PeerLinks links = open(one, heard, two);
            assertThat(links.alive()).isEmpty();
            links.close();
        }
    }

    @Test
    void aTakenAddressIsSaid() {
        try (Service one = new Service()) {
            assertThatThrownBy(() -> LocalService.start(one.service.processId()))
                    .isInstanceOfSatisfying(
                            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SYSTEM))
                    .hasMessageContaining(one.service.processId());
        }
    }
}
