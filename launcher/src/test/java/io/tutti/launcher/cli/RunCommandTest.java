package io.tutti.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.plan.RejectedPath;
import io.tutti.launcher.run.FakeRuntime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a good run prints. */
class RunCommandTest {

    private static final String[] SMALL = {"run", "--tokens", "3", "--hidden", "64", "--iterations", "5"};

    @Test
    void jsonHasExactlyTheFixedNamesInTheirOrder() {
        Invocation run = Invocation.of(with(SMALL, "--json"));
        assertThat(run.status()).as(run.err()).isZero();
        JsonNode result = run.json();
        assertThat(names(result)).containsExactly("command", "driver", "topology", "communicators");
        JsonNode communicator = result.get("communicators").get(0);
        assertThat(names(communicator))
                .containsExactly(
                        "name",
                        "worldSize",
                        "processes",
                        "epoch",
                        "path",
                        "handleKinds",
                        "rejected",
                        "restarts",
                        "downgrades",
                        "operations");
        assertThat(names(communicator.get("rejected").get(0)))
                .containsExactly("path", "rank", "stage", "call", "result", "advice");
        assertThat(names(communicator.get("operations")))
                .containsExactly(
                        "count",
                        "failed",
                        "tokens",
                        "hidden",
                        "dtype",
                        "epilogue",
                        "maxRelativeError",
                        "bitIdenticalAcrossRanks",
                        "outputSha256",
                        "medianMicros");
    }

    @Test
    void jsonHoldsTheRunsFacts() {
        JsonNode result = Invocation.of(with(SMALL, "--json", "--ranks", "2", "--dtype", "fp16"))
                .json();
        assertThat(result.get("command").asText()).isEqualTo("run");
        assertThat(result.get("driver").asText()).isEqualTo("host");
        assertThat(result.get("topology").asText()).isEqualTo("local");
        JsonNode communicator = result.get("communicators").get(0);
        assertThat(communicator.get("name").asText()).isEqualTo("tp0");
        assertThat(communicator.get("worldSize").asInt()).isEqualTo(2);
        assertThat(communicator.get("path").asText()).isEqualTo("p2p");
        assertThat(communicator.get("handleKinds").get(0).asText()).isEqualTo("in-process");
        JsonNode operations = communicator.get("operations");
        assertThat(operations.get("count").asInt()).isEqualTo(5);
        assertThat(operations.get("failed").asInt()).isZero();
        assertThat(operations.get("dtype").asText()).isEqualTo("fp16");
        assertThat(operations.get("maxRelativeError").asDouble()).isBetween(1e-5, 5e-4);
        assertThat(operations.get("bitIdenticalAcrossRanks").asBoolean()).isTrue();
        assertThat(operations.get("outputSha256").asText()).matches("[0-9a-f]{64}");
        assertThat(operations.get("medianMicros").isNumber()).isTrue();
    }

    @Test
    void restartsAndDowngradesAreTheCommunicatorsOwn() {
        FakeRuntime.Faults faults = new FakeRuntime.Faults() {
            @Override
            public int restarts() {
                return 3;
            }

            @Override
            public int downgrades() {
                return 2;
            }
        };
        JsonNode communicator =
                Invocation.with(faults, with(SMALL, "--json")).json().at("/communicators/0");
        assertThat(communicator.get("restarts").asInt()).isEqualTo(3);
        assertThat(communicator.get("downgrades").asInt()).isEqualTo(2);
    }

    @Test
    void aPromisedHandleKindThatWasRefusedIsStatusThreeAndHasARow() {
        FakeRuntime.Faults faults = new FakeRuntime.Faults() {
            @Override
            public List<RejectedPath> rejected() {
                return List.of(
                        FakeRuntime.NO_MULTICAST,
                        new RejectedPath(
                                PathKind.P2P,
                                1,
                                "import",
                                "cuMemImportFromShareableHandle",
                                "CUDA_ERROR_UNKNOWN",
                                "posix-fd handles were refused"));
            }
        };
        Invocation json = Invocation.with(faults, with(SMALL, "--json"));
        assertThat(json.status()).isEqualTo(ExitStatus.PROMISE_REFUSED);
        assertThat(json.json().at("/communicators/0/rejected/1/stage").asText()).isEqualTo("import");
        assertThat(Invocation.with(faults, SMALL).out())
                .contains("handles     cuMemImportFromShareableHandle answered CUDA_ERROR_UNKNOWN on rank 1");
    }

    @Test
    void withoutOptionsFourRanksRunTheDefaultShape() {
        Invocation run = Invocation.of("run");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("communicator tp0", "4 ranks", "path", "p2p over in-process handles")
                .contains("not nvls", "cuMulticastGetGranularity answered CUDA_ERROR_NOT_SUPPORTED on rank 0")
                .contains("100 × [64 × 4096] bf16 residual-rmsnorm, 0 failed")
                .contains("bit-identical across ranks", "sha256");
    }

    @ParameterizedTest
    @CsvSource({"residual-rmsnorm", "residual-rmsnorm-gemma", "all-reduce"})
    void everyEpilogueRuns(String epilogue) {
        Invocation run = Invocation.of(with(SMALL, "--epilogue", epilogue, "--json"));
        assertThat(run.status()).as(run.err() + run.out()).isZero();
        assertThat(run.json().at("/communicators/0/operations/epilogue").asText())
                .isEqualTo(epilogue);
    }

    @Test
    void theHashDependsOnTheInputsButNotOnTheIterations() {
        String once = sha256("--iterations", "1");
        assertThat(sha256("--iterations", "7")).isEqualTo(once);
        assertThat(sha256("--seed", "2")).isNotEqualTo(once);
        assertThat(sha256("--ranks", "3")).isNotEqualTo(once);
        assertThat(sha256("--dtype", "fp32")).isNotEqualTo(once);
    }

    private static String sha256(String... more) {
        List<String> arguments = new ArrayList<>(List.of("run", "--tokens", "2", "--hidden", "64", "--json"));
        arguments.addAll(List.of(more));
        return Invocation.of(arguments.toArray(String[]::new))
                .json()
                .at("/communicators/0/operations/outputSha256")
                .asText();
    }

    @Test
    void aPromisedPathThatWasRefusedIsStatusThree() {
        FakeRuntime.Faults faults = new FakeRuntime.Faults() {
            @Override
            public List<RejectedPath> rejected() {
                return List.of(new RejectedPath(
                        PathKind.NVLS, 2, "allocate", "cuMulticastCreate", "CUDA_ERROR_OUT_OF_MEMORY", "Look."));
            }
        };
        Invocation run = Invocation.with(faults, SMALL);
        assertThat(run.status()).isEqualTo(ExitStatus.PROMISE_REFUSED);
        assertThat(run.out())
                .contains("cuMulticastCreate answered CUDA_ERROR_OUT_OF_MEMORY on rank 2 at stage allocate");
    }

    @Test
    void everyConfiguredCommunicatorIsRun() throws Exception {
        java.nio.file.Path file = java.nio.file.Files.createTempFile("tutti", ".conf");
        try {
            java.nio.file.Files.writeString(file, "tutti.communicators { a { world-size = 2 }, b { world-size = 3 } }");
            JsonNode result = Invocation.of(with(SMALL, "--json", "--config", file.toString()))
                    .json();
            assertThat(result.get("communicators")).hasSize(2);
            assertThat(result.at("/communicators/1/worldSize").asInt()).isEqualTo(3);
        } finally {
            java.nio.file.Files.delete(file);
        }
    }

    @Test
    void whatWasStartedIsClosedAndGivenBack() {
        Invocation run = Invocation.of(SMALL);
        assertThat(run.runtimes().started()).singleElement().satisfies(runtime -> {
            assertThat(runtime.isClosed()).isTrue();
            assertThat(runtime.liveTensors()).isZero();
        });
    }

    private static String[] with(String[] arguments, String... more) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
