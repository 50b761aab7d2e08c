package io.tutti.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tutti.launcher.safetensors.ElementType;
import io.tutti.launcher.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every mistake of a user is status 2, a short message that says what is allowed, and nothing was started. */
class BadRequestsTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--ranks 0              | --ranks, '0', 1 to 72",
                "--ranks 73             | --ranks, '73', 1 to 72",
                "--ranks -1             | --ranks, '-1'",
                "--ranks four           | --ranks, 'four'",
                "--ranks 99999999999999 | --ranks",
                "--ranks                | --ranks, Missing",
                "--ranks 2 --ranks 3    | --ranks, only once",
                "--tokens 0             | --tokens, from 1 on",
                "--hidden 0             | --hidden, 8 to 65536",
                "--hidden 12            | --hidden, not a multiple of 8",
                "--hidden 65544         | --hidden, 65536",
                "--iterations 0         | --iterations, 1 to 10000000",
                "--dtype f64            | --dtype, bf16, fp16, fp32",
                "--epilogue norm        | --epilogue, residual-rmsnorm-gemma, all-reduce",
                "--eps -1               | --eps, finite",
                "--eps NaN              | --eps, finite",
                "--eps 1e60             | --eps, finite",
                "--eps x                | --eps, finite",
                "--seed 1.5             | --seed, 64 bits",
                "--timeout 30           | --timeout, unit",
                "--timeout 0s           | --timeout, 1ms to 24h",
                "--timeout 25h          | --timeout, 1ms to 24h",
                "--driver gpu           | --driver, auto, cuda, host",
                "--driver cuda --topology local | --topology, --driver=cuda",
                "--driver cuda --inject x | --inject, --driver=cuda",
                "--path tcp             | --path, nvls, p2p",
                "--path staged          | --path, this build has no path staged, allowed: nvls, p2p",
                "--path nccl            | --path, this build has no path nccl, allowed: nvls, p2p",
                "--handles fd           | --handles, posix-fd",
                "--algorithm ring       | --algorithm, auto, one-shot, two-shot",
                "--profile nobody       | nobody, one-machine",
                "--config /no/such.conf | /no/such.conf, does not exist",
                "--input /no/such.file  | /no/such.file, does not exist",
                "--output /no/such/file | /no/such/file, folder does not exist",
                "--output /             | is a folder",
                "--bogus                | unknown option, --bogus",
                "--rank 3               | unknown option, Did you mean --ranks",
                "@file                  | unexpected argument, @file",
                "extra                  | unexpected argument, extra",
                "-- --tokens            | unexpected argument: --tokens",
                "--tokens 100000000000  | are larger than the device's memory",
                "--tokens 9223372036854775807 | 63 bits",
            })
    void areRefused(String options, String words) {
        assertRefused(options.split(" +"), words.split(", "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tutti.no-such-key = 1                  | no-such-key",
                "tutti.workspace.size = 900 GiB         | workspace",
                "tutti { workspace.size = 64 MiB, host-driver.memory-per-device = 32 MiB } | workspace",
                "tutti.host-driver.memory-per-device = 1 MiB | larger than the device's memory, tutti.host-driver.memory-per-device",
                "tutti { communicators { a { world-size = 73 } } } | world-size",
                "tutti { communicators { a { world-size = 4, ranks = [0, 1] } } } | ranks=[0, 1], in this process",
                "tutti {                                | bad.conf",
            })
    void aConfigurationThatCannotBeUsedIsRefused(String content, String words) throws IOException {
        Path file = Files.writeString(folder.resolve("bad.conf"), content);
        assertRefused(new String[] {"--config", file.toString()}, words.split(", (?![0-9])"));
    }

    @Test
    void severalCommunicatorsHaveNoSingleOutput() throws IOException {
        Path file = Files.writeString(folder.resolve("two.conf"), "tutti.communicators { a {}, b {} }");
        assertRefused(
                new String[] {
                    "--config",
                    file.toString(),
                    "--output",
                    folder.resolve("out").toString()
                },
                "--output",
                "[a, b]");
    }

    @Test
    void whatFollowsTheEndOfOptionsIsNoOption() {
        Invocation run = Invocation.of("run", "--", "--json");
        assertThat(run.status()).isEqualTo(ExitStatus.BAD_REQUEST);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("unexpected argument: --json").doesNotContain("Did you mean");
    }

    @Test
    void aFaultForARankThatDoesNotExistIsRefused() {
        assertRefused(
                new String[] {"--inject", "rank=9 call=cuMemCreate result=CUDA_ERROR_UNKNOWN"},
                "option --inject",
                "rank=9",
                "rank=0 to rank=3");
    }

    @Test
    void anUnknownCommandSuggestsTheNearest() {
        Invocation run = Invocation.of("rnu");
        assertThat(run.status()).isEqualTo(ExitStatus.BAD_REQUEST);
        assertThat(run.err()).contains("unknown command: rnu", "Did you mean run?");
        assertThat(Invocation.of("rnu", "--json").json().at("/error/code").asText())
                .isEqualTo("usage");
        assertThat(Invocation.of().status()).isEqualTo(ExitStatus.BAD_REQUEST);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--ranks 3      | --ranks=3, has=2",
                "--tokens 5     | --tokens=5, has=4",
                "--hidden 16    | --hidden=16, has=8",
                "--dtype bf16   | --dtype=bf16, has=fp32",
            })
    void anOptionThatContradictsTheInputIsRefused(String option, String words) throws IOException {
        Path input = input(List.of("rank0.partial", "rank1.partial", "residual", "gamma"));
        List<String> arguments = new ArrayList<>(List.of("--input", input.toString()));
        arguments.addAll(Arrays.asList(option.split(" +")));
        assertRefused(arguments.toArray(String[]::new), words.split(", "));
    }

    @Test
    void anOptionThatAgreesWithTheInputIsFine() throws IOException {
        Path input = input(List.of("rank0.partial", "rank1.partial", "residual", "gamma"));
        Invocation run = Invocation.of(
                "run",
                "--input",
                input.toString(),
                "--ranks",
                "2",
                "--tokens",
                "4",
                "--hidden",
                "8",
                "--dtype",
                "fp32");
        assertThat(run.status()).as(run.err()).isZero();
    }

    @Test
    void theOutputMayNotBeTheInput() throws IOException {
        Path input = input(List.of("rank0.partial", "rank1.partial", "residual", "gamma"));
        byte[] before = Files.readAllBytes(input);
        assertRefused(new String[] {"--input", input.toString(), "--output", input.toString()}, "overwrite");
        assertThat(input).hasBinaryContent(before);
    }

    @Test
    void aLoopOfLinksIsNoMissingFile() throws IOException {
        Path loop = Files.createSymbolicLink(folder.resolve("loop"), folder.resolve("loop"));
        assertRefused(new String[] {"--input", loop.toString()}, "loop of symbolic links");
        assertRefused(new String[] {"--config", loop.toString()}, "loop of symbolic links");
        assertRefused(new String[] {"--output", loop.toString()}, "loop of symbolic links");
    }

    @Test
    void aBrokenInputIsRefused() throws IOException {
        Path input = input(List.of("rank0.partial", "rank1.partial", "residual", "gamma"));
        Files.write(input, Arrays.copyOf(Files.readAllBytes(input), 100));
        assertRefused(new String[] {"--input", input.toString()}, "longer than the file", input.toString());
        input = input(List.of("rank0.partial", "rank2.partial", "residual", "gamma"));
        assertRefused(new String[] {"--input", input.toString()}, "tensor=rank1.partial");
    }

    @Test
    void verboseAddsTheStackTrace() {
        assertThat(Invocation.of("run", "--ranks", "0").err()).doesNotContain("\tat ");
        assertThat(Invocation.of("run", "--ranks", "0", "--verbose").err()).contains("\tat ");
    }

    private void assertRefused(String[] options, String... words) {
        String[] arguments =
                Stream.concat(Stream.of("run"), Arrays.stream(options)).toArray(String[]::new);
        Invocation text = Invocation.of(arguments);
        assertThat(text.status()).as(text.out() + text.err()).isEqualTo(ExitStatus.BAD_REQUEST);
        assertThat(text.out()).isEmpty();
        assertThat(text.err()).startsWith("tutti run: ").contains(words).doesNotContain("\tat ");
        assertThat(text.runtimes().started()).isEmpty();

        Invocation json = Invocation.of(Stream.concat(Stream.of("run", "--json"), Arrays.stream(options))
                .toArray(String[]::new));
        assertThat(json.status()).isEqualTo(ExitStatus.BAD_REQUEST);
        assertThat(json.err()).isEmpty();
        JsonNode error = json.json().get("error");
        assertThat(json.json().get("command").asText()).isEqualTo("run");
        assertThat(error.get("code").asText()).isIn("usage", "configuration", "input");
        assertThat(error.get("rank").isNull()).isTrue();
        assertThat(error.get("message").asText() + " " + error.get("advice").asText())
                .contains(words);
    }

    /** A file of fp32 tensors, four tokens of eight elements. */
    private Path input(List<String> names) throws IOException {
        Path path = folder.resolve("in.safetensors");
        List<SafetensorsWriter.Tensor> tensors = names.stream()
                .map(name -> new SafetensorsWriter.Tensor(
                        name, ElementType.F32, name.equals("gamma") ? List.of(8L) : List.of(4L, 8L)))
                .toList();
        try (SafetensorsWriter writer = SafetensorsWriter.create(path, tensors, Map.of())) {
            names.forEach(name -> writer.append(name, ByteBuffer.allocate(name.equals("gamma") ? 32 : 128)));
            writer.commit();
        }
        return path;
    }
}
