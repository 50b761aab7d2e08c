package io.tutti.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProcessMessagesTest {

    @Test
    void everyMessageToAProcessComesBackAsItWas() {
        List<ProcessMessage.ToProcess> messages = List.of(
                new ProcessMessage.Job(
                        ProcessMessage.VERSION,
                        3,
                        "127.0.0.1:4711",
                        Map.of("tp0", 6, "tp1", 2),
                        Map.of("tp0", List.of(4, 5), "tp1", List.of(1))),
                new ProcessMessage.Agreed("tp \"0\"\n"),
                new ProcessMessage.Asked("run 5 100 60000"),
                new ProcessMessage.Dismissed(),
                new ProcessMessage.PeerOver("rank process 1 ended: killed by SIGKILL"));
        for (ProcessMessage.ToProcess message : messages) {
            String line = ProcessMessages.encode(message);
            assertThat(line).doesNotContain("\n");
            assertThat(ProcessMessages.decodeToProcess(line)).contains(message);
        }
    }

    @Test
    void everyMessageFromAProcessComesBackAsItWas() {
        List<ProcessMessage.FromProcess> messages = List.of(
                new ProcessMessage.Started("17-ab", "127.0.0.1:4712"),
                new ProcessMessage.Progressed("tp0: operations", 5, Long.MAX_VALUE),
                new ProcessMessage.Checked(Results.of("ab12", 0.001, 12.34)),
                new ProcessMessage.Checked(Results.of("", Double.NaN, Double.POSITIVE_INFINITY)),
                new ProcessMessage.Answered("P2P ONE_SHOT 1,2,3"),
                new ProcessMessage.Failed(new ErrorInfo(
                        ErrorCode.DRIVER, 2, "cuMemCreate", "CUDA_ERROR_OUT_OF_MEMORY", "ran\nout µ", "Do \"less\".")),
                new ProcessMessage.Failed(ErrorInfo.of(ErrorCode.INTERNAL, "", "")));
        for (ProcessMessage.FromProcess message : messages) {
            String line = ProcessMessages.encode(message);
            assertThat(line).doesNotContain("\n");
            assertThat(ProcessMessages.decodeFromProcess(line)).contains(message);
        }
    }

    @Test
    void aLineOfSomethingElseIsNoMessage() {
        for (String line : List.of("", "# A fatal error has been detected", "{}", "{\"other\":1}", "[1]")) {
            assertThat(ProcessMessages.decodeFromProcess(line)).isEmpty();
            assertThat(ProcessMessages.decodeToProcess(line)).isEmpty();
        }
    }

    @Test
    void halfALineAndUnknownMessagesAreRefused() {
        String line = ProcessMessages.encode(new ProcessMessage.Checked(Results.of("ab", 1, 2)));
        for (int length = "{\"tutti\":".length(); length < line.length(); length++) {
            String half = line.substring(0, length);
            assertThatThrownBy(() -> ProcessMessages.decodeFromProcess(half))
                    .as(half)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> ProcessMessages.decodeFromProcess("{\"tutti\":\"dance\"}"))
                .hasMessageContaining("dance");
        assertThatThrownBy(() -> ProcessMessages.decodeToProcess("{\"tutti\":\"job\",\"version\":\"1\"}"))
                .hasMessageContaining("version");
    }
}
