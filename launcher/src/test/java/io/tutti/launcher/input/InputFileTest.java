package io.tutti.launcher.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tutti.gpu.DType;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.safetensors.ElementType;
import io.tutti.launcher.safetensors.SafetensorsWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An input file holds exactly the inputs of one operation, or is refused with the tensor and its values. */
class InputFileTest {

    @TempDir
    Path folder;

    private final List<SafetensorsWriter.Tensor> content = new ArrayList<>();

    private InputFileTest with(String name, ElementType type, Long... shape) {
        content.removeIf(tensor -> tensor.name().equals(name));
        content.add(new SafetensorsWriter.Tensor(name, type, List.of(shape)));
        return this;
    }

    private InputFileTest good() {
        return with("rank0.partial", ElementType.BF16, 3L, 16L)
                .with("rank1.partial", ElementType.BF16, 3L, 16L)
                .with("residual", ElementType.BF16, 3L, 16L)
                .with("gamma", ElementType.BF16, 16L);
    }

    private InputFileTest without(String name) {
        content.removeIf(tensor -> tensor.name().equals(name));
        return this;
    }

    private Path write() {
        Path path = folder.resolve("in.safetensors");
        try (SafetensorsWriter writer = SafetensorsWriter.create(path, content, Map.of("format", "pt"))) {
            for (SafetensorsWriter.Tensor tensor : content) {
                long bytes = tensor.type().bytes();
                for (long dimension : tensor.shape()) {
                    bytes *= dimension;
                }
                writer.append(tensor.name(), ByteBuffer.allocate((int) bytes));
            }
            writer.commit();
        }
        return path;
    }

    private void assertRefused(String... words) {
        Path path = write();
        TuttiException error = catchThrowableOfType(
                TuttiException.class, () -> FileTensors.open(path, true).close());
        assertThat(error).as("it was accepted").isNotNull();
        assertThat(error.code()).isEqualTo(ErrorCode.INPUT);
        assertThat(error.getMessage()).contains("file=" + path).contains(words);
    }

    @Test
    void worldSizeShapeAndTypeComeFromTheFile() {
        try (FileTensors tensors = FileTensors.open(good().write(), true)) {
            assertThat(tensors.worldSize()).isEqualTo(2);
            assertThat(tensors.shape()).isEqualTo(new OperationShape(3, 16, DType.BF16));
        }
    }

    @Test
    void withoutANormThereNeedBeNoResidualAndGamma() {
        FileTensors.open(good().without("residual").without("gamma").write(), false)
                .close();
        FileTensors.open(good().write(), false).close();
    }

    @Test
    void aMissingTensorIsNamed() {
        good().without("residual").assertRefused("lacks a tensor", "tensor=residual");
        good().without("gamma").assertRefused("tensor=gamma");
        good().without("rank0.partial").without("rank1.partial").assertRefused("tensor=rank0.partial");
    }

    @Test
    void aGapBetweenRanksIsRefused() {
        good().with("rank3.partial", ElementType.BF16, 3L, 16L)
                .assertRefused("tensor=rank2.partial", "next=rank3.partial");
        good().without("rank3.partial").without("rank0.partial").assertRefused("tensor=rank0.partial");
    }

    @Test
    void aTensorThatNoOperationTakesIsRefused() {
        good().with("bias", ElementType.BF16, 16L).assertRefused("\"bias\"");
        good().without("bias").with("rank01.partial", ElementType.BF16, 3L, 16L).assertRefused("\"rank01.partial\"");
    }

    @Test
    void differingShapesAreRefused() {
        good().with("rank1.partial", ElementType.BF16, 4L, 16L)
                .assertRefused("\"rank1.partial\"", "shape=[4, 16]", "expected=[3, 16]");
        good().with("residual", ElementType.BF16, 3L, 8L).assertRefused("\"residual\"", "shape=[3, 8]");
        good().with("gamma", ElementType.BF16, 1L, 16L).assertRefused("\"gamma\"", "expected=[16]");
    }

    @Test
    void differingTypesAreRefused() {
        good().with("rank1.partial", ElementType.F16, 3L, 16L).assertRefused("dtype=F16", "rank0.partial=BF16");
        good().with("gamma", ElementType.F32, 16L).assertRefused("\"gamma\"", "dtype=F32");
    }

    @Test
    void aTypeThatNoOperationTakesIsRefused() {
        good().with("rank0.partial", ElementType.F64, 3L, 16L).assertRefused("dtype=F64", "BF16, F16 and F32");
    }

    @Test
    void rowsMustBeAMultipleOfEightElements() {
        good().with("rank0.partial", ElementType.BF16, 3L, 12L).assertRefused("multiple of 8", "[3, 12]");
        good().with("rank0.partial", ElementType.BF16, 3L, 0L).assertRefused("multiple of 8");
        good().with("rank0.partial", ElementType.BF16, 1L, 65_544L).assertRefused("65536");
    }

    @Test
    void aPartialHasTwoDimensionsAndAtLeastOneToken() {
        good().with("rank0.partial", ElementType.BF16, 48L).assertRefused("[tokens, hidden]");
        good().with("rank0.partial", ElementType.BF16, 0L, 16L).assertRefused("at least one token");
    }

    @Test
    void moreRanksThanACommunicatorCanHaveAreRefused() {
        for (int rank = 0; rank < 73; rank++) {
            with("rank" + rank + ".partial", ElementType.BF16, 1L, 8L);
        }
        with("residual", ElementType.BF16, 1L, 8L)
                .with("gamma", ElementType.BF16, 8L)
                .assertRefused("ranks=73");
    }
}
