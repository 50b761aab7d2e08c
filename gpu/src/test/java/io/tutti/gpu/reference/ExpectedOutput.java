package io.tutti.gpu.reference;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.numerics.reference.ReferenceInputs;
import io.tutti.gpu.numerics.reference.ReferenceOutputs;
import io.tutti.gpu.numerics.reference.ScalarReference;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** One line of the committed list of output digests of seeded operations, eps 1e-6. */
public record ExpectedOutput(
        long seed, int world, DType dtype, Epilogue epilogue, int tokens, int hidden, String sha256) {

    private static final String RESOURCE = "/io/tutti/testsupport/expected-outputs.csv";
    public static final float EPS = 1e-6f;

    public static List<ExpectedOutput> all() throws IOException {
        List<ExpectedOutput> all = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(ExpectedOutput.class.getResourceAsStream(RESOURCE), RESOURCE),
                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#")) {
                    String[] f = line.split(",", -1);
                    all.add(new ExpectedOutput(
                            Long.parseLong(f[0]),
                            Integer.parseInt(f[1]),
                            DType.parse(f[2]),
                            Epilogue.parse(f[3]),
                            Integer.parseInt(f[4]),
                            Integer.parseInt(f[5]),
                            f[6]));
                }
            }
        }
        return all;
    }

    public ReferenceInputs inputs() {
        SeededInputs seeded = new SeededInputs(seed, world, hidden, dtype);
        List<ByteBuffer> partials = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            ByteBuffer partial = tensor(tokens);
            seeded.partialRows(rank, 0, tokens, partial);
            partials.add(partial.flip());
        }
        ByteBuffer residual = tensor(tokens);
        seeded.residualRows(0, tokens, residual);
        ByteBuffer gamma = tensor(1);
        seeded.gamma(gamma);
        return new ReferenceInputs(partials, residual.flip(), gamma.flip());
    }

    /** The digest by the scalar reference. */
    String compute() {
        ScalarReference reference = new ScalarReference(dtype, epilogue, hidden, EPS);
        OutputDigest digest = new OutputDigest();
        if (epilogue.hasNorm()) {
            ReferenceOutputs outputs = new ReferenceOutputs(null, tensor(tokens), tensor(tokens));
            reference.compute(tokens, inputs(), outputs);
            return digest.add(Objects.requireNonNull(outputs.residualOut()))
                    .add(Objects.requireNonNull(outputs.normOut()))
                    .hex();
        }
        ReferenceOutputs outputs = new ReferenceOutputs(tensor(tokens), null, null);
        reference.compute(tokens, inputs(), outputs);
        return digest.add(Objects.requireNonNull(outputs.sum())).hex();
    }

    private ByteBuffer tensor(int rows) {
        return ByteBuffer.allocate(rows * hidden * dtype.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public String toString() {
        return seed + "," + world + "," + dtype.wireName() + "," + epilogue.wireName() + "," + tokens + "," + hidden;
    }
}
