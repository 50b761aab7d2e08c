package io.tutti.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line over real ranks on the host driver. */
class RealRanksTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "1, 4, bf16, residual-rmsnorm, 64, 4096, one-shot, 373ef37365c6bc28d77a8f9987e7b35e1c9021a8ba8720ea5a13d05b310bd82a",
        "1, 4, bf16, residual-rmsnorm, 64, 4096, two-shot, 373ef37365c6bc28d77a8f9987e7b35e1c9021a8ba8720ea5a13d05b310bd82a",
        "3, 4, bf16, residual-rmsnorm-gemma, 7, 2880, auto, c0918620565214e8be0754dacd7f57ea069b259034852db5928bc1eaa37251a7",
        "0, 1, bf16, residual-rmsnorm, 3, 8, auto, 548824cde2cad8aa87be13cc4b4cf931edac3388702096a898fb8b7f4f4ccd9c",
    })
    void theHashIsTheCommittedOneWhateverTheAlgorithm(
            String seed,
            String ranks,
            String dtype,
            String epilogue,
            String tokens,
            String hidden,
            String algorithm,
            String sha256) {
        Invocation run = Invocation.real(
                "run",
                "--json",
                "--iterations=3",
                "--seed=" + seed,
                "--ranks=" + ranks,
                "--dtype=" + dtype,
                "--epilogue=" + epilogue,
                "--tokens=" + tokens,
                "--hidden=" + hidden,
                "--algorithm=" + algorithm);
        assertThat(run.status()).as(run.out() + run.err()).isZero();
        JsonNode communicator = run.json().at("/communicators/0");
        assertThat(communicator.at("/operations/outputSha256").asText()).isEqualTo(sha256);
        assertThat(communicator.get("path").asText()).isEqualTo("p2p");
        assertThat(communicator.get("rejected")).singleElement().satisfies(row -> {
            assertThat(row.get("path").asText()).isEqualTo("nvls");
            assertThat(row.get("advice").asText()).isNotBlank();
        });
        assertThat(communicator.get("handleKinds")).hasSize(ranks.equals("1") ? 0 : 1);
    }

    @Test
    void aPortInUseIsStatusTwoAndNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path file = Files.writeString(folder.resolve("port.conf"), "tutti.cluster.port = " + taken.getLocalPort());
            Invocation run = Invocation.real("run", "--json", "--config", file.toString());
            assertThat(run.status()).as(run.out()).isEqualTo(ExitStatus.BAD_REQUEST);
            JsonNode error = run.json().get("error");
            assertThat(error.get("code").asText()).isIn("configuration", "system");
            assertThat(error.get("message").asText()).contains("tutti.cluster.port=" + taken.getLocalPort());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--topology nowhere | nowhere, local",
                "--inject rank=0    | rank=0, call",
                "--inject call=cuNothing result=CUDA_ERROR_UNKNOWN | cuNothing",
            })
    void whatTheDriverDoesNotKnowIsStatusTwo(String option, String words) {
        String[] parts = option.split(" ", 2);
        Invocation run = Invocation.real("run", "--json", parts[0], parts[1]);
        assertThat(run.status()).as(run.out() + run.err()).isEqualTo(ExitStatus.BAD_REQUEST);
        JsonNode error = run.json().get("error");
        assertThat(error.get("message").asText() + error.get("advice").asText()).contains(words.split(", "));
    }

    @Test
    void aPathThatThisMachineLacksFailsWithTheCallThatRefused() {
        Invocation run = Invocation.real("run", "--json", "--path", "nvls");
        assertThat(run.status()).as(run.out()).isEqualTo(ExitStatus.FAILED);
        JsonNode error = run.json().get("error");
        assertThat(error.get("code").asText()).isEqualTo("preflight");
        assertThat(error.get("call").asText()).isEqualTo("cuMulticastGetGranularity");
        assertThat(error.get("result").asText()).isEqualTo("CUDA_ERROR_NOT_SUPPORTED");
        assertThat(error.get("advice").asText()).contains("p2p would work", "--path");
    }

    @Test
    void aHandleKindThatIsRefusedWithNoOtherAllowedSaysWhatToAllow() {
        Invocation run = Invocation.real(
                "run",
                "--json",
                "--handles",
                "posix-fd",
                "--inject",
                "rank=1 call=cuMemImportFromShareableHandle result=CUDA_ERROR_INVALID_HANDLE");
        assertThat(run.status()).as(run.out()).isEqualTo(ExitStatus.FAILED);
        JsonNode error = run.json().get("error");
        assertThat(error.get("call").asText()).isEqualTo("cuMemImportFromShareableHandle");
        assertThat(error.get("advice").asText()).contains("[in-process] would work", "--handles");
    }

    @Test
    void aHandleKindThatTheDevicesLackIsNamed() {
        Invocation run = Invocation.real("run", "--json", "--handles", "fabric");
        assertThat(run.status()).as(run.out()).isEqualTo(ExitStatus.FAILED);
        JsonNode error = run.json().get("error");
        assertThat(error.get("message").asText()).contains("fabric=lacking-on-rank-0");
        assertThat(error.get("advice").asText()).contains("fabric needs", "--handles");
    }
}
