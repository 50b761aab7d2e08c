package io.tutti.launcher.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.numerics.TensorBits;
import io.tutti.launcher.input.FileTensors;
import io.tutti.launcher.safetensors.ElementType;
import io.tutti.launcher.safetensors.SafetensorsFile;
import io.tutti.launcher.safetensors.TensorEntry;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tensors of a real model, from file to file over real ranks, agree with what float64 arithmetic makes of them. */
class RealCasesTest {

    private static final RunRequest.Limits LIMITS = new RunRequest.Limits(Duration.ofMinutes(1), Duration.ofMinutes(1));

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "encoder-attn2-tp2-f32, 2, 2e-6",
        "encoder-ffn0-tp4-bf16, 4, 4e-3",
        "encoder-ffn3-tp8-f16, 8, 5e-4",
    })
    void theOutputAgreesWithFloat64(String name, int ranks, double bound) throws Exception {
        Path output = folder.resolve("out.safetensors");
        try (FileTensors inputs = FileTensors.open(resource(name + ".safetensors"), true)) {
            assertThat(inputs.worldSize()).isEqualTo(ranks);
            RunRequest request = new RunRequest(
                    List.of("tp0"),
                    new Operation(Epilogue.RESIDUAL_RMSNORM, 1e-6f, 3),
                    world -> inputs,
                    Optional.of(output),
                    LIMITS);
            RunResult result = new RunJob(TuttiRuntime::start, new Waits(), Progress.SILENT, Agreement.ALL_HERE)
                    .run(request, ConfigFactory.parseString("tutti.communicators.tp0.world-size = " + ranks));
            assertThat(result.communicators().get(0).operations().maxRelativeError())
                    .isPositive()
                    .isLessThan(bound);
        }
        try (SafetensorsFile actual = SafetensorsFile.open(output);
                SafetensorsFile expected = SafetensorsFile.open(resource(name + ".expected.safetensors"))) {
            assertThat(actual.tensors().keySet()).containsExactly("residual_out", "norm_out");
            for (String tensor : actual.tensors().keySet()) {
                assertThat(relativeError(values(actual, tensor), values(expected, tensor)))
                        .as(tensor)
                        .isLessThan(bound);
            }
        }
    }

    private static Path resource(String name) throws URISyntaxException {
        URL url = Objects.requireNonNull(RealCasesTest.class.getResource("/real/" + name), name);
        return Path.of(url.toURI());
    }

    private static double relativeError(double[] actual, double[] expected) {
        assertThat(actual).hasSameSizeAs(expected);
        double error = 0;
        double norm = 0;
        for (int i = 0; i < actual.length; i++) {
            error += (actual[i] - expected[i]) * (actual[i] - expected[i]);
            norm += expected[i] * expected[i];
        }
        return Math.sqrt(error / norm);
    }

    private static double[] values(SafetensorsFile file, String name) {
        TensorEntry tensor = Objects.requireNonNull(file.tensors().get(name), name);
        ByteBuffer bytes = ByteBuffer.allocate((int) tensor.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        file.read(tensor, 0, bytes);
        bytes.flip();
        double[] values = new double[(int) (tensor.bytes() / tensor.type().bytes())];
        for (int i = 0; i < values.length; i++) {
            values[i] = tensor.type() == ElementType.F64 ? bytes.getDouble() : widen(tensor.type(), bytes);
        }
        return values;
    }

    private static double widen(ElementType type, ByteBuffer bytes) {
        DType dtype = DType.parseSafetensors(type.name());
        return TensorBits.widen(dtype, dtype.bytes() == 2 ? bytes.getShort() : bytes.getInt());
    }
}
