package io.tutti.actors.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ProtocolMessageEnum;
import io.tutti.actors.protocol.Stage;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.plan.DeviceCapability;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The numbers of our enums on the wire: new lines may come, none may change or go. */
final class EnumWireTest {

    @Test
    void theNumbersAreTheseForEver() {
        assertThat(numbers(DType.class, EnumWire::toProto, EnumWire.DTYPES)).isEqualTo("{1=BF16, 2=FP16, 3=FP32}");
        assertThat(numbers(Epilogue.class, EnumWire::toProto, EnumWire.EPILOGUES))
                .isEqualTo("{1=RESIDUAL_RMSNORM, 2=RESIDUAL_RMSNORM_GEMMA, 3=ALL_REDUCE}");
        assertThat(numbers(Algorithm.class, EnumWire::toProto, EnumWire.ALGORITHMS))
                .isEqualTo("{1=ONE_SHOT, 2=TWO_SHOT}");
        assertThat(numbers(HandleKind.class, EnumWire::toProto, EnumWire.HANDLE_KINDS))
                .isEqualTo("{1=IN_PROCESS, 2=POSIX_FD, 3=FABRIC, 4=LEGACY_IPC}");
        assertThat(numbers(DeviceCapability.class, EnumWire::toProto, EnumWire.CAPABILITIES))
                .isEqualTo("{1=VIRTUAL_MEMORY, 2=POSIX_FD, 3=FABRIC, 4=LEGACY_IPC, 5=MULTICAST}");
        assertThat(numbers(PathKind.class, EnumWire::toProto, EnumWire.PATHS))
                .isEqualTo("{1=NVLS, 2=P2P, 3=NCCL, 4=STAGED}");
        assertThat(numbers(Stage.class, EnumWire::toProto, EnumWire.STAGES))
                .isEqualTo("{1=IDENTITY, 2=PLAN, 3=ALLOCATE, 4=FILL, 5=EXPORT, 6=IMPORT, 7=WRITE, 8=VERIFY, "
                        + "9=QUIESCE, 10=ARM, 11=COMMIT, 12=PROBE}");
        assertThat(numbers(ErrorCode.class, EnumWire::toProto, EnumWire.ERROR_CODES))
                .isEqualTo("{1=USAGE, 2=CONFIGURATION, 3=INPUT, 4=PREFLIGHT, 5=DRIVER, 6=SYSTEM, 7=REMOTE, "
                        + "8=TIMEOUT, 9=ABORTED, 10=MISMATCH, 11=STALE, 12=CLOSED, 13=INTERNAL}");
    }

    /** All constants by number; fails where two share one, or where the way back leads elsewhere. */
    private static <D extends Enum<D>> String numbers(
            Class<D> type, Function<D, ? extends ProtocolMessageEnum> there, WireNames<D> back) {
        Map<Integer, D> numbers = new TreeMap<>();
        for (D value : type.getEnumConstants()) {
            int number = there.apply(value).getNumber();
            assertThat(numbers.put(number, value)).as("number %d", number).isNull();
            assertThat(back.of(number)).isEqualTo(value);
        }
        return numbers.toString();
    }
}
