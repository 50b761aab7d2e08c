package io.tutti.gpu.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryLimitsTest {

    @TempDir
    Path root;

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private MemoryLimits.Available available() {
        return new MemoryLimits(root.resolve("proc"), root.resolve("cgroup")).available();
    }

    private void machine(String groups) throws IOException {
        write("proc/meminfo", "MemTotal:  100 kB\nMemAvailable:     64 kB\nSwapFree: 9 kB\n");
        write("proc/self/cgroup", groups);
    }

    @Test
    void withoutGroupsTheMachineDecides() throws IOException {
        machine("0::/\n");
        assertThat(available().bytes()).isEqualTo(64 * 1024);
        assertThat(available().describe()).isEqualTo("memAvailable=65536 cgroupFree=unknown");
    }

    @Test
    void theSecondVersionsTightestAncestorDecides() throws IOException {
        machine("0::/outer/inner\n");
        write("cgroup/outer/memory.max", "20000\n");
        write("cgroup/outer/memory.current", "5000\n");
        write("cgroup/outer/memory.stat", "anon 1\ninactive_file 1000\n");
        write("cgroup/outer/inner/memory.max", "max\n");
        write("cgroup/outer/inner/memory.current", "4000\n");
        assertThat(available().cgroupFree()).isEqualTo(OptionalLong.of(16_000));
        assertThat(available().bytes()).isEqualTo(16_000);
    }

    @Test
    void theFirstVersionIsReadToo() throws IOException {
        machine("5:cpu:/\n4:memory:/job\n0::/\n");
        write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("cgroup/memory/memory.usage_in_bytes", "7\n");
        write("cgroup/memory/job/memory.limit_in_bytes", "8192\n");
        write("cgroup/memory/job/memory.usage_in_bytes", "8000\n");
        assertThat(available().cgroupFree()).isEqualTo(OptionalLong.of(192));
    }

    @Test
    void insideAContainerTheMountIsTheGroup() throws IOException {
        machine("0::/not/visible/here\n");
        write("cgroup/memory.max", "3000\n");
        write("cgroup/memory.current", "4000\n");
        assertThat(available().bytes()).isZero();
    }

    @Test
    void nothingIsKnownWhereNothingCanBeRead() {
        assertThat(available().bytes()).isEqualTo(Long.MAX_VALUE);
    }
}
