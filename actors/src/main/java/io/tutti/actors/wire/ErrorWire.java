package io.tutti.actors.wire;

import io.tutti.gpu.ErrorInfo;
import io.tutti.proto.ErrorInfoProto;

/** Failures. */
final class ErrorWire {

    private ErrorWire() {}

    static ErrorInfoProto toProto(ErrorInfo error) {
        ErrorInfoProto.Builder proto = ErrorInfoProto.newBuilder()
                .setCode(EnumWire.toProto(error.code()))
                .setMessage(error.message())
                .setAdvice(error.advice());
        if (error.rank() != null) {
            proto.setRank(Require.count("rank", error.rank()));
        }
        if (error.call() != null) {
            proto.setCall(error.call());
        }
        if (error.result() != null) {
            proto.setResult(error.result());
        }
        return proto.build();
    }

    static ErrorInfo toError(boolean present, ErrorInfoProto error) {
        Require.present("error", present);
        return new ErrorInfo(
                EnumWire.ERROR_CODES.of(error.getCodeValue()),
                error.hasRank() ? Require.count("rank", error.getRank()) : null,
                error.hasCall() ? error.getCall() : null,
                error.hasResult() ? error.getResult() : null,
                error.getMessage(),
                error.getAdvice());
    }
}
