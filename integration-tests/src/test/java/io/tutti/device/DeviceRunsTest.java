package io.tutti.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs on the real devices give the bits that the host driver gives. Where there are fewer devices than ranks, ranks share
 * one.
 */
@Tag("gpu")
@Timeout(300)
class DeviceRunsTest {

    @BeforeAll
    static void onlyWithDevices() {
        Devices.require();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--ranks=1 --tokens=7 --hidden=4096",
                "--ranks=2 --tokens=1 --hidden=4096",
                "--ranks=2 --tokens=64 --hidden=4096",
                "--ranks=2 --tokens=64 --hidden=4096 --algorithm=one-shot",
                "--ranks=2 --tokens=64 --hidden=4096 --algorithm=two-shot",
                "--ranks=2 --tokens=7 --hidden=384 --dtype=fp16",
                "--ranks=2 --tokens=300 --hidden=2880 --dtype=fp32",
                "--ranks=2 --tokens=2048 --hidden=7168",
                "--ranks=2 --tokens=64 --hidden=16384 --epilogue=residual-rmsnorm-gemma",
                "--ranks=2 --tokens=64 --hidden=8192 --epilogue=all-reduce",
                "--ranks=3 --tokens=64 --hidden=2880",
                "--ranks=4 --tokens=64 --hidden=4096 --dtype=fp16",
                "--ranks=8 --tokens=7 --hidden=4096",
            })
    void theBitsAreTheHostDrivers(String options) throws Exception {
        CommandRun real = run("cuda", options, "--iterations=20");
        String bits = real.sha256();
        assertThat(real.json().get("driver").asText()).isEqualTo("cuda");
        assertThat(bits).isEqualTo(run("host", options, "--iterations=1").sha256());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jna", "jcuda"})
    void eitherBindingCarriesARun(String binding) throws Exception {
        String options = "--ranks=2 --tokens=64 --hidden=4096";
        List<String> withBinding = new ArrayList<>(List.of("--driver=cuda", "--iterations=20"));
        withBinding.addAll(Arrays.asList(options.split(" ")));
        Path file = Files.createTempFile("tutti-binding", ".conf");
        Files.writeString(file, "tutti.cuda.binding = " + binding);
        withBinding.add("--config=" + file);
        assertThat(CommandRun.run(withBinding.toArray(String[]::new)).sha256())
                .isEqualTo(run("host", options, "--iterations=1").sha256());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--ranks=2 --processes=2 --tokens=64 --hidden=4096"})
    void severalProcessesGiveTheSameBits(String options) throws Exception {
        CommandRun real = run("cuda", options, "--iterations=20");
        assertThat(real.sha256())
                .isEqualTo(run("host", options, "--iterations=1").sha256());
        System.out.println(
                options + ": " + real.json().at("/communicators/0/path").asText() + " over "
                        + real.json().at("/communicators/0/handleKinds"));
    }

    private static CommandRun run(String driver, String options, String more) throws Exception {
        List<String> arguments = new ArrayList<>(Arrays.asList(options.split(" ")));
        arguments.add("--driver=" + driver);
        arguments.add(more);
        return CommandRun.run(arguments.toArray(String[]::new));
    }
}
