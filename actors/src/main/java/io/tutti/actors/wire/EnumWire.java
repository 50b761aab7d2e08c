package io.tutti.actors.wire;

import io.tutti.actors.protocol.Stage;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.plan.DeviceCapability;
import io.tutti.proto.AlgorithmProto;
import io.tutti.proto.DTypeProto;
import io.tutti.proto.DeviceCapabilityProto;
import io.tutti.proto.EpilogueProto;
import io.tutti.proto.ErrorCodeProto;
import io.tutti.proto.HandleKindProto;
import io.tutti.proto.PathKindProto;
import io.tutti.proto.StageProto;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Our enums and their fixed numbers on the wire. Ordinals never travel: constants may be reordered, numbers may not.
 */
final class EnumWire {

    static final WireNames<HandleKind> HANDLE_KINDS = WireNames.inverse(HandleKind.class, EnumWire::toProto);
    static final WireNames<DeviceCapability> CAPABILITIES =
            WireNames.inverse(DeviceCapability.class, EnumWire::toProto);
    static final WireNames<PathKind> PATHS = WireNames.inverse(PathKind.class, EnumWire::toProto);
    static final WireNames<Algorithm> ALGORITHMS = WireNames.inverse(Algorithm.class, EnumWire::toProto);
    static final WireNames<DType> DTYPES = WireNames.inverse(DType.class, EnumWire::toProto);
    static final WireNames<Epilogue> EPILOGUES = WireNames.inverse(Epilogue.class, EnumWire::toProto);
    static final WireNames<ErrorCode> ERROR_CODES = WireNames.inverse(ErrorCode.class, EnumWire::toProto);
    static final WireNames<Stage> STAGES = WireNames.inverse(Stage.class, EnumWire::toProto);

    private EnumWire() {}

    /** The kinds, in the order of their numbers. */
    static List<HandleKindProto> kindsToProto(Collection<HandleKind> kinds) {
        return kinds.stream().map(EnumWire::toProto).sorted().toList();
    }

    static Set<HandleKind> toKinds(List<Integer> numbers) {
        return numbers.stream().map(HANDLE_KINDS::of).collect(Collectors.toUnmodifiableSet());
    }

    /** The capabilities, in the order of their numbers. */
    static List<DeviceCapabilityProto> capabilitiesToProto(Collection<DeviceCapability> capabilities) {
        return capabilities.stream().map(EnumWire::toProto).sorted().toList();
    }

    static Set<DeviceCapability> toCapabilities(List<Integer> numbers) {
        return numbers.stream().map(CAPABILITIES::of).collect(Collectors.toUnmodifiableSet());
    }

    /** The paths, in the order of their numbers. */
    static List<PathKindProto> pathsToProto(Collection<PathKind> paths) {
        return paths.stream().map(EnumWire::toProto).sorted().toList();
    }

    static Set<PathKind> toPaths(List<Integer> numbers) {
        return numbers.stream().map(PATHS::of).collect(Collectors.toUnmodifiableSet());
    }

    static HandleKindProto toProto(HandleKind kind) {
        return switch (kind) {
            case IN_PROCESS -> HandleKindProto.HANDLE_KIND_IN_PROCESS;
            case POSIX_FD -> HandleKindProto.HANDLE_KIND_POSIX_FD;
            case FABRIC -> HandleKindProto.HANDLE_KIND_FABRIC;
            case LEGACY_IPC -> HandleKindProto.HANDLE_KIND_LEGACY_IPC;
        };
    }

    static DeviceCapabilityProto toProto(DeviceCapability capability) {
        return switch (capability) {
            case VIRTUAL_MEMORY -> DeviceCapabilityProto.DEVICE_CAPABILITY_VIRTUAL_MEMORY;
            case POSIX_FD -> DeviceCapabilityProto.DEVICE_CAPABILITY_POSIX_FD;
            case FABRIC -> DeviceCapabilityProto.DEVICE_CAPABILITY_FABRIC;
            case LEGACY_IPC -> DeviceCapabilityProto.DEVICE_CAPABILITY_LEGACY_IPC;
            case MULTICAST -> DeviceCapabilityProto.DEVICE_CAPABILITY_MULTICAST;
        };
    }

    static PathKindProto toProto(PathKind path) {
        return switch (path) {
            case NVLS -> PathKindProto.PATH_KIND_NVLS;
            case P2P -> PathKindProto.PATH_KIND_P2P;
            case NCCL -> PathKindProto.PATH_KIND_NCCL;
            case STAGED -> PathKindProto.PATH_KIND_STAGED;
        };
    }

    static AlgorithmProto toProto(Algorithm algorithm) {
        return switch (algorithm) {
            case ONE_SHOT -> AlgorithmProto.ALGORITHM_ONE_SHOT;
            case TWO_SHOT -> AlgorithmProto.ALGORITHM_TWO_SHOT;
        };
    }

    static DTypeProto toProto(DType dtype) {
        return switch (dtype) {
            case BF16 -> DTypeProto.D_TYPE_BF16;
            case FP16 -> DTypeProto.D_TYPE_FP16;
            case FP32 -> DTypeProto.D_TYPE_FP32;
        };
    }

    static EpilogueProto toProto(Epilogue epilogue) {
        return switch (epilogue) {
            case RESIDUAL_RMSNORM -> EpilogueProto.EPILOGUE_RESIDUAL_RMSNORM;
            case RESIDUAL_RMSNORM_GEMMA -> EpilogueProto.EPILOGUE_RESIDUAL_RMSNORM_GEMMA;
            case ALL_REDUCE -> EpilogueProto.EPILOGUE_ALL_REDUCE;
        };
    }

    static ErrorCodeProto toProto(ErrorCode code) {
        return switch (code) {
            case USAGE -> ErrorCodeProto.ERROR_CODE_USAGE;
            case CONFIGURATION -> ErrorCodeProto.ERROR_CODE_CONFIGURATION;
            case INPUT -> ErrorCodeProto.ERROR_CODE_INPUT;
            case PREFLIGHT -> ErrorCodeProto.ERROR_CODE_PREFLIGHT;
            case DRIVER -> ErrorCodeProto.ERROR_CODE_DRIVER;
            case SYSTEM -> ErrorCodeProto.ERROR_CODE_SYSTEM;
            case REMOTE -> ErrorCodeProto.ERROR_CODE_REMOTE;
            case TIMEOUT -> ErrorCodeProto.ERROR_CODE_TIMEOUT;
            case ABORTED -> ErrorCodeProto.ERROR_CODE_ABORTED;
            case MISMATCH -> ErrorCodeProto.ERROR_CODE_MISMATCH;
            case STALE -> ErrorCodeProto.ERROR_CODE_STALE;
            case CLOSED -> ErrorCodeProto.ERROR_CODE_CLOSED;
            case INTERNAL -> ErrorCodeProto.ERROR_CODE_INTERNAL;
        };
    }

    static StageProto toProto(Stage stage) {
        return switch (stage) {
            case IDENTITY -> StageProto.STAGE_IDENTITY;
            case PLAN -> StageProto.STAGE_PLAN;
            case ALLOCATE -> StageProto.STAGE_ALLOCATE;
            case FILL -> StageProto.STAGE_FILL;
            case EXPORT -> StageProto.STAGE_EXPORT;
            case IMPORT -> StageProto.STAGE_IMPORT;
            case WRITE -> StageProto.STAGE_WRITE;
            case VERIFY -> StageProto.STAGE_VERIFY;
            case PROBE -> StageProto.STAGE_PROBE;
            case QUIESCE -> StageProto.STAGE_QUIESCE;
            case ARM -> StageProto.STAGE_ARM;
            case COMMIT -> StageProto.STAGE_COMMIT;
        };
    }
}
