package io.tutti.gpu.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Memory and links between real processes, which are killed and stopped. */
@Timeout(100)
final class ChildProcessesTest {

    private static final Logger LOG = LoggerFactory.getLogger(ChildProcessesTest.class);

    private final List<ChildJvm> children = new ArrayList<>();

    @AfterEach
    void endChildren() throws Exception {
        for (ChildJvm child : children) {
            child.close();
        }
        for (ChildJvm child : children) {
            child.awaitEnd();
        }
        // Abstract names end with the processes; nothing that they made may be left anywhere.
        assertThat(Files.readString(Path.of("/proc/net/unix")).lines().filter(this::isOfAChild))
                .isEmpty();
    }

    private boolean isOfAChild(String line) {
        return children.stream().anyMatch(child -> line.contains("@tutti-" + child.pid() + "-"));
    }

    private List<String> start(int count, int world) throws Exception {
        for (int i = 0; i < count; i++) {
            children.add(new ChildJvm(ChildPeer.class, Integer.toString(world)));
        }
        List<String> processIds = new ArrayList<>();
        for (ChildJvm child : children) {
            processIds.add(child.expect("ready"));
        }
        return processIds;
    }

    @Test
    void memoryIsSharedAcrossProcessesAndSurvivesItsOwner() throws Exception {
        List<String> processIds = start(2, 2);
        ChildJvm owner = children.get(0);
        ChildJvm user = children.get(1);
        owner.send("export 0 31");
        String offer = owner.expect("offer");
        user.send("import 1 " + offer);
        assertThat(user.expect("mapped")).isEqualTo("31");

        user.send("export 1 41");
        owner.send("import 0 " + user.expect("offer"));
        assertThat(owner.expect("mapped")).isEqualTo("41");
        owner.send("write 1 42");
        owner.send("read 1");
        assertThat(owner.expect("value")).isEqualTo("42");

        owner.kill();
        owner.awaitEnd();
        user.send("read 0");
        assertThat(user.expect("value"))
                .as("a dead owner's memory stays mapped")
                .isEqualTo("31");
        user.send("import 1 " + offer);
        assertThat(user.expect("failed")).startsWith("REMOTE").contains(processIds.get(0), processIds.get(1));
        user.send("close");
        assertThat(user.expect("left")).isEqualTo("[] []");
    }

    @Test
    void anImporterThatDiesWithTheDescriptorIsNamedAndOthersGoOn() throws Exception {
        start(3, 3);
        ChildJvm owner = children.get(0);
        owner.send("export 0 31");
        String offer = owner.expect("offer");
        children.get(1).send("fetch-only 1 " + offer);
        children.get(1).expect("fetched");
        children.get(1).kill();
        String warning = owner.expectContaining("never confirmed");
        assertThat(warning).contains("pid=" + children.get(1).pid(), "importer=1");

        children.get(2).send("import 2 " + offer);
        assertThat(children.get(2).expect("mapped")).isEqualTo("31");
        owner.send("close");
        assertThat(owner.expect("left")).isEqualTo("[] []");
    }

    @Test
    void aStoppedExporterIsATimeoutAndAStrangerIsNamed() throws Exception {
        List<String> processIds = start(2, 2);
        ChildJvm owner = children.get(0);
        ChildJvm user = children.get(1);
        user.send("garbage " + processIds.get(0));
        user.expect("sent");
        assertThat(owner.expectContaining("no header")).contains("pid=" + user.pid(), "uid=");

        owner.send("export 0 31");
        String offer = owner.expect("offer");
        owner.signal("STOP");
        try {
            user.send("import-within 500 1 " + offer);
            assertThat(user.expect("failed")).startsWith("TIMEOUT").contains(processIds.get(0));
        } finally {
            owner.signal("CONT");
        }
    }

    @Test
    void aDeathIsHeardAtOnceAStopIsNotAndAGoodbyeIsTold() throws Exception {
        List<String> processIds = start(4, 1);
        for (ChildJvm child : children) {
            child.send("link " + String.join(" ", processIds));
        }
        for (ChildJvm child : children) {
            child.expect("linked");
        }
        ChildJvm watcher = children.get(0);

        children.get(1).signal("STOP");
        // The stop is older than the death below, so a watcher that took it for one would have said so before.
        long killed = System.nanoTime();
        children.get(2).kill();
        for (ChildJvm child : List.of(watcher, children.get(3))) {
            String[] death = child.expect("death").split(" ");
            Duration latency = Duration.ofNanos(Long.parseLong(death[1]) - killed);
            assertThat(death[0]).isEqualTo(processIds.get(2));
            LOG.info("the death of a process was heard after {} us", latency.toNanos() / 1000);
            assertThat(latency).isLessThan(Duration.ofSeconds(1));
        }
        children.get(3).send("close");
        assertThat(watcher.expect("goodbye")).isEqualTo(processIds.get(3));
        assertThat(watcher.hasSaidNothing()).isTrue();

        // Also a stopped process is heard when it dies.
        children.get(1).kill();
        assertThat(watcher.expect("death")).startsWith(processIds.get(1));
        watcher.send("close");
        assertThat(watcher.expect("left")).isEqualTo("[] []");
    }

    @Test
    void eightProcessesOfNineRanksShareEverythingQuickly() throws Exception {
        int ranksPerProcess = 9;
        int world = 8 * ranksPerProcess;
        start(8, world);
        StringBuilder offers = new StringBuilder();
        for (int rank = 0; rank < world; rank++) {
            ChildJvm owner = children.get(rank / ranksPerProcess);
            owner.send("export " + rank + " " + (1000 + rank));
            offers.append(' ').append(owner.expect("offer"));
        }
        assertThat(offers.length()).as("all offers as text").isLessThan(64 << 10);
        long start = System.nanoTime();
        for (ChildJvm child : children) {
            child.send("import-all" + offers);
        }
        for (ChildJvm child : children) {
            assertThat(child.expect("mapped-all")).startsWith(ranksPerProcess * (world - ranksPerProcess) + " ");
        }
        LOG.info(
                "72 ranks mapped each other in {} ms",
                Duration.ofNanos(System.nanoTime() - start).toMillis());
        for (ChildJvm child : children) {
            child.send("close");
        }
        for (ChildJvm child : children) {
            assertThat(child.expect("left")).isEqualTo("[] []");
        }
    }

    @Test
    void anotherUserIsRefusedAndNamed(@org.junit.jupiter.api.io.TempDir Path shared) throws Exception {
        org.junit.jupiter.api.Assumptions.assumeTrue(
                io.tutti.gpu.posix.LocalSocket.ownUid() == 0, "only root can start a process of another user");
        String classPath = ReadableClassPath.in(shared);
        String owner = start(1, 1).get(0);
        ChildJvm stranger = new ChildJvm(
                List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
                classPath,
                ChildPeer.class,
                "1");
        children.add(stranger);
        stranger.expect("ready");
        stranger.send("link " + owner);
        assertThat(stranger.expect("failed")).contains("another user");
        stranger.send("garbage " + owner);
        assertThat(children.get(0).expectContaining("belongs to another user"))
                .contains("pid=" + stranger.pid(), "uid=65534");
    }

    /** A class path that any user can read. */
    private static final class ReadableClassPath {

        static String in(Path folder) throws IOException {
            folder.toFile().setReadable(true, false);
            folder.toFile().setExecutable(true, false);
            List<String> entries = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(":")) {
                Path source = Path.of(entry);
                Path target = folder.resolve(entries.size() + "-" + source.getFileName());
                if (Files.isDirectory(source)) {
                    copyTree(source, target);
                } else if (Files.exists(source)) {
                    Files.copy(source, target);
                }
                entries.add(target.toString());
            }
            return String.join(":", entries);
        }

        private static void copyTree(Path source, Path target) throws IOException {
            try (var files = Files.walk(source)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    Files.copy(file, target.resolve(source.relativize(file).toString()));
                }
            }
        }
    }
}
