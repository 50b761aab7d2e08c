package io.tutti.gpu.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SurroundingsTest {

    @TempDir
    Path folder;

    @Test
    void theUserIsNamedWithItsNumberAndTheNamespaceAsTheSystemWritesIt() throws IOException {
        Files.writeString(folder.resolve("status"), "Name:\tjava\nUid:\t1007\t1007\t1007\t1007\n");
        Files.createDirectory(folder.resolve("ns"));
        Files.createSymbolicLink(folder.resolve("ns/pid"), Path.of("pid:[4026531836]"));

        Surroundings around = Surroundings.read(folder, folder, Optional.of("1"));

        assertThat(around.user()).startsWith(System.getProperty("user.name")).endsWith("(1007)");
        assertThat(around.pidNamespace()).isEqualTo("pid:[4026531836]");
        assertThat(around.sharedMemoryBytes()).isPositive();
        assertThat(around.visibleDevices()).contains("1");
    }

    @Test
    void whatCannotBeReadIsNotKnown() {
        Path nowhere = folder.resolve("nowhere");

        Surroundings around = Surroundings.read(nowhere, nowhere, Optional.empty());

        assertThat(around.user()).isEqualTo(System.getProperty("user.name"));
        assertThat(around.pidNamespace()).isEmpty();
        assertThat(around.sharedMemoryBytes()).isZero();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void onLinuxTheyAreAllKnown() {
        Surroundings around = Surroundings.current();
        assertThat(around.user()).contains("(");
        assertThat(around.pidNamespace()).startsWith("pid:[");
    }
}
