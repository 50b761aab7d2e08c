package io.tutti.launcher.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that cannot be written is found before anything starts, in words that say why. */
class TargetFileTest {

    @TempDir
    Path folder;

    @Test
    void aPlaceForAFileIsFoundGoodAndLeftAsItWas() throws IOException {
        Path there = Files.writeString(folder.resolve("there"), "old");
        TargetFile.check(there);
        TargetFile.check(folder.resolve("new"));
        TargetFile.check(Files.createSymbolicLink(folder.resolve("link"), there));
        assertThat(there).hasContent("old");
        assertThat(names()).containsExactlyInAnyOrder("there", "link");
    }

    @Test
    void aFolderInWhichNoFileCanBeCreatedIsRefused() {
        assumeThat(Path.of("/proc/self")).as("a system with /proc").isDirectory();
        refused(Path.of("/proc/tutti.safetensors"), "no file can be created");
    }

    @Test
    void aLinkThatLeadsNowhereAndALoopOfLinksAreToldApart() throws IOException {
        Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("nothing"));
        refused(dangling, "is a symbolic link to " + folder.resolve("nothing") + ", which does not exist");
        Path loop = Files.createSymbolicLink(folder.resolve("loop"), folder.resolve("loop"));
        refused(loop, "leads into a loop of symbolic links");
        refused(loop.resolve("file"), "leads into a loop of symbolic links");
    }

    @Test
    void whatIsNoFolderOrNoFileIsRefused() throws IOException {
        refused(folder, "is a folder");
        refused(folder.resolve("missing").resolve("file"), "folder does not exist");
        Path file = Files.writeString(folder.resolve("file"), "");
        refused(file.resolve("inner"), "folder is a file");
    }

    private static void refused(Path path, String words) {
        assertThatThrownBy(() -> TargetFile.check(path))
                .isInstanceOfSatisfying(
                        TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.USAGE))
                .hasMessageContaining(words)
                .hasMessageContaining("file=" + path);
    }

    private Stream<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }
}
