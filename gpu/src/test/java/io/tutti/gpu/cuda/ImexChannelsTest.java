package io.tutti.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImexChannelsTest {

    @Test
    void aProcessHasAnImexChannelWhereItMayOpenOne(@TempDir Path devices) throws Exception {
        assertThat(ImexChannels.openable(devices.resolve("absent"))).isFalse();
        assertThat(ImexChannels.openable(devices)).isFalse();
        Files.createFile(devices.resolve("channel0"));
        assertThat(ImexChannels.openable(devices)).isTrue();
    }
}
