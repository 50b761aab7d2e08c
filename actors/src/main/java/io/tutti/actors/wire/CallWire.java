package io.tutti.actors.wire;

import io.tutti.gpu.op.CallDescriptor;
import io.tutti.proto.CallDescriptorProto;

/** Collective calls. */
final class CallWire {

    private CallWire() {}

    static CallDescriptorProto toProto(CallDescriptor call) {
        return CallDescriptorProto.newBuilder()
                .setSequence(Require.count("sequence", call.sequence()))
                .setTokens(Require.count("tokens", call.tokens()))
                .setHidden(Require.count("hidden", call.hidden()))
                .setDtype(EnumWire.toProto(call.dtype()))
                .setEpilogue(EnumWire.toProto(call.epilogue()))
                .setAlgorithm(EnumWire.toProto(call.algorithm()))
                .setEpsBits(call.epsBits())
                .setBiasBits(call.biasBits())
                .setPlainSum(call.plainSum())
                .setTag(call.tag())
                .build();
    }

    static CallDescriptor toCall(boolean present, CallDescriptorProto call) {
        Require.present("call", present);
        return new CallDescriptor(
                Require.count("sequence", call.getSequence()),
                Require.count("tokens", call.getTokens()),
                Require.count("hidden", call.getHidden()),
                EnumWire.DTYPES.of(call.getDtypeValue()),
                EnumWire.EPILOGUES.of(call.getEpilogueValue()),
                EnumWire.ALGORITHMS.of(call.getAlgorithmValue()),
                call.getEpsBits(),
                call.getBiasBits(),
                call.getPlainSum(),
                call.getTag());
    }
}
