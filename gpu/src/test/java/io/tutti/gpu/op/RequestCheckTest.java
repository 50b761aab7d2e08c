package io.tutti.gpu.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a request may look like. */
final class RequestCheckTest {

    private static final DeviceTensor PARTIAL = tensor(0x10000, 4, 64);
    private static final DeviceTensor RESIDUAL = tensor(0x20000, 4, 64);
    private static final DeviceTensor GAMMA = tensor(0x30000, 1, 64);
    private static final DeviceTensor NORM = tensor(0x40000, 4, 64);
    private static final DeviceTensor OUT = tensor(0x50000, 4, 64);
    private static final DeviceTensor SUM = tensor(0x60000, 4, 64);
    private static final FusedAllReduce GOOD =
            FusedAllReduce.of(PARTIAL, RESIDUAL, GAMMA).into(NORM, OUT);

    @Test
    void acceptsGoodRequests() {
        for (FusedAllReduce request : new FusedAllReduce[] {
            GOOD,
            GOOD.gemma().eps(0).withSum(SUM).tagged(-1),
            GOOD.into(NORM, RESIDUAL),
            FusedAllReduce.of(PARTIAL, PARTIAL, GAMMA).into(NORM, OUT),
            FusedAllReduce.sum(PARTIAL, SUM),
            FusedAllReduce.sum(tensor(0x10000, 1, 65_536), tensor(0x100000, 1, 65_536))
        }) {
            assertThatCode(() -> RequestCheck.validate(request))
                    .as(request.toString())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void refusesEverythingElseSayingWhy() {
        Map<String, FusedAllReduce> bad = Map.ofEntries(
                Map.entry("normOut is missing", FusedAllReduce.of(PARTIAL, RESIDUAL, GAMMA)),
                Map.entry("sumOut is missing", raw(PARTIAL, Epilogue.ALL_REDUCE)),
                Map.entry("residual has no use", raw(PARTIAL, Epilogue.ALL_REDUCE, RESIDUAL)),
                Map.entry("residual is missing", raw(PARTIAL, Epilogue.RESIDUAL_RMSNORM)),
                Map.entry("tokens=0", sum(tensor(0x10000, 0, 64))),
                Map.entry("hidden=12", sum(tensor(0x10000, 4, 12))),
                Map.entry("hidden=0", sum(tensor(0x10000, 4, 0))),
                Map.entry("hidden=65544", sum(tensor(0x10000, 4, 65_544))),
                Map.entry("eps=NaN", GOOD.eps(Float.NaN)),
                Map.entry("eps=Infinity", GOOD.eps(Float.POSITIVE_INFINITY)),
                Map.entry("eps=-1.0", GOOD.eps(-1)),
                Map.entry("residual has the wrong shape", of(tensor(0x20000, 5, 64), GAMMA)),
                Map.entry("gamma has the wrong shape", of(RESIDUAL, tensor(0x30000, 4, 64))),
                Map.entry("tensors differ in type", of(RESIDUAL, new DeviceTensor(0x30000, DType.FP16, 1, 64))),
                Map.entry("aligned to 16 bytes: address=0x30008", of(RESIDUAL, tensor(0x30008, 1, 64))),
                Map.entry("aligned to 16 bytes: address=0x0", of(RESIDUAL, tensor(0, 1, 64))),
                Map.entry("normOut=0x40000 residualOut=0x40040", GOOD.into(NORM, tensor(0x40040, 4, 64))),
                Map.entry("residualOut=0x20010 residual=0x20000", GOOD.into(NORM, tensor(0x20010, 4, 64))),
                Map.entry("residualOut=0x10000 partial=0x10000", GOOD.into(NORM, PARTIAL)),
                Map.entry("normOut=0x30000", GOOD.into(tensor(0x30000, 4, 64), OUT)),
                Map.entry("normOut=0x20000 residual=0x20000", GOOD.into(RESIDUAL, OUT)),
                Map.entry("sumOut=0x10000", GOOD.withSum(PARTIAL)),
                Map.entry("does not fit the address space: bytes=", sum(tensor(-16, 4, 64))),
                Map.entry("does not fit the address space: shape=", sum(tensor(16, Long.MAX_VALUE, 64))));
        bad.forEach((reason, request) -> assertThatThrownBy(() -> RequestCheck.validate(request))
                .as(reason)
                .hasMessageContaining(reason)
                .isInstanceOfSatisfying(
                        TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.USAGE)));
    }

    private static FusedAllReduce of(DeviceTensor residual, DeviceTensor gamma) {
        return FusedAllReduce.of(PARTIAL, residual, gamma).into(NORM, OUT);
    }

    private static FusedAllReduce sum(DeviceTensor partial) {
        return FusedAllReduce.sum(partial, new DeviceTensor(0x60000, DType.FP32, partial.tokens(), partial.hidden()));
    }

    private static FusedAllReduce raw(DeviceTensor partial, Epilogue epilogue) {
        return new FusedAllReduce(partial, null, null, epilogue, 0, null, null, null, 0);
    }

    private static FusedAllReduce raw(DeviceTensor partial, Epilogue epilogue, DeviceTensor residual) {
        return new FusedAllReduce(partial, residual, null, epilogue, 0, null, null, null, 0);
    }

    private static DeviceTensor tensor(long address, long tokens, long hidden) {
        return new DeviceTensor(address, DType.FP32, tokens, hidden);
    }
}
