package io.tutti.gpu.numerics;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.numerics.reference.ReferenceInputs;
import io.tutti.gpu.numerics.reference.ReferenceOutputs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One operation of a vector file: its inputs, and the bits that every implementation must give. */
record VectorCase(String name, FusedCase fused, ReferenceOutputs expected) {

    /** Reads a case from the facts of its first line and the lines that follow. */
    static VectorCase parse(DType type, String header, List<String> lines) {
        Map<String, String> facts = new HashMap<>();
        for (String fact : header.split(" ")) {
            facts.put(fact.substring(0, fact.indexOf('=')), fact.substring(fact.indexOf('=') + 1));
        }
        List<ByteBuffer> partials = new ArrayList<>();
        Map<String, ByteBuffer> tensors = new HashMap<>();
        for (String line : lines) {
            int blank = line.indexOf(' ');
            ByteBuffer tensor = elements(type, line.substring(blank + 1).split(" "));
            if (line.startsWith("partial ")) {
                partials.add(tensor);
            } else {
                tensors.put(line.substring(0, blank), tensor);
            }
        }
        FusedCase fused = new FusedCase(
                type,
                Epilogue.parse(Objects.requireNonNull(facts.get("epilogue"))),
                Integer.parseInt(facts.get("tokens")),
                Integer.parseInt(facts.get("hidden")),
                Float.intBitsToFloat(Integer.parseUnsignedInt(facts.get("eps"), 16)),
                new ReferenceInputs(partials, tensors.get("residual"), tensors.get("gamma")));
        return new VectorCase(
                Objects.requireNonNull(facts.get("name")),
                fused,
                new ReferenceOutputs(tensors.get("sum"), tensors.get("residual_out"), tensors.get("norm_out")));
    }

    /** The lines that {@link #parse} reads. */
    String text() {
        StringBuilder text = new StringBuilder(String.format(
                "case name=%s epilogue=%s world=%d tokens=%d hidden=%d eps=%08x\n",
                name,
                fused.epilogue().wireName(),
                fused.inputs().partials().size(),
                fused.tokens(),
                fused.hidden(),
                Float.floatToRawIntBits(fused.eps())));
        fused.inputs().partials().forEach(partial -> append(text, "partial", partial));
        if (fused.epilogue().hasNorm()) {
            append(text, "residual", fused.inputs().residual());
            append(text, "gamma", fused.inputs().gamma());
        }
        append(text, "sum", expected.sum());
        if (fused.epilogue().hasNorm()) {
            append(text, "residual_out", expected.residualOut());
            append(text, "norm_out", expected.normOut());
        }
        return text.append("end\n").toString();
    }

    private void append(StringBuilder text, String label, @Nullable ByteBuffer tensor) {
        text.append(label);
        ByteBuffer elements = Objects.requireNonNull(tensor);
        int bytes = fused.type().bytes();
        for (int at = 0; at < elements.capacity(); at += bytes) {
            text.append(
                    bytes == 2
                            ? String.format(" %04x", elements.getShort(at) & 0xffff)
                            : String.format(" %08x", elements.getInt(at)));
        }
        text.append('\n');
    }

    private static ByteBuffer elements(DType type, String[] hex) {
        ByteBuffer tensor = Payload.allocate(type, hex.length);
        for (String element : hex) {
            Payload.put(tensor, type, Integer.parseUnsignedInt(element, 16));
        }
        return tensor.flip();
    }
}
