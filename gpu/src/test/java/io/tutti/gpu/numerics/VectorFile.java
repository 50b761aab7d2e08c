package io.tutti.gpu.numerics;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.numerics.reference.ReferenceInputs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * The vectors of one tensor type, {@code numerics/vectors-*.txt}, which any implementation of {@code docs/numerics.md} can
 * read. {@link #main} writes the files anew from the scalar reference; the committed ones have been checked with exact
 * rational arithmetic in another language.
 *
 * @param conversions pairs of fp32 bits and the element that they round to
 * @param cases whole operations
 */
record VectorFile(DType type, List<int[]> conversions, List<VectorCase> cases) {
    private static final int[] ROUNDED = {
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x00008000, 0x00008001, 0x00018000,
        0x3f800000, 0xbf800000, 0x3f808000, 0x3f808001, 0x3f818000, 0x3f801000, 0x3f801001, 0x3f803000, 0xbf807fff,
        0x33000000, 0x33000001, 0x33800000, 0xb3000000, 0x33c00000, 0x387fc000, 0x387fe000, 0x387fffff, 0x38800000,
        0x387fdfff, 0x477fe000, 0x477fefff, 0x477ff000, 0xc77ff000, 0x47800000, 0x7f7f0000, 0x7f7f7fff, 0x7f7f8000,
        0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0xff800001, 0x7fc00000, 0xffc00000, 0xffffffff,
        0x358637bd, 0x40490fdb, 0xc2f6e979, 0x501502f9, 0x0da24260
    };

    /** Reads the committed file. */
    static VectorFile read(DType type) {
        List<int[]> conversions = new ArrayList<>();
        List<VectorCase> cases = new ArrayList<>();
        List<String> open = new ArrayList<>();
        for (String line : text(type).lines().toList()) {
            if (line.startsWith("round ")) {
                String[] fields = line.split(" ");
                conversions.add(
                        new int[] {Integer.parseUnsignedInt(fields[1], 16), Integer.parseUnsignedInt(fields[2], 16)});
            } else if (line.equals("end")) {
                cases.add(
                        VectorCase.parse(type, open.get(0).substring("case ".length()), open.subList(1, open.size())));
                open.clear();
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                open.add(line);
            }
        }
        return new VectorFile(type, conversions, cases);
    }

    static String text(DType type) {
        String name = "/numerics/" + fileName(type);
        try (InputStream in = Objects.requireNonNull(VectorFile.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static VectorFile generate(DType type) {
        List<int[]> conversions = new ArrayList<>();
        for (int bits : ROUNDED) {
            conversions.add(new int[] {bits, TensorBits.round(type, Float.intBitsToFloat(bits))});
        }
        List<VectorCase> cases = new ArrayList<>();
        for (Payload payload : Payload.values()) {
            int world = 1 + payload.ordinal() % 4;
            String name = payload.name().toLowerCase(Locale.ROOT);
            long seed = payload.ordinal();
            for (Epilogue epilogue : Epilogue.values()) {
                cases.add(withOutputs(
                        name, FusedCase.random(type, world, 1, 8, seed).with(epilogue)));
            }
            cases.add(withOutputs(name + "-40", FusedCase.random(type, 3, 2, 40, seed)));
        }
        // Seeds that are multiples of the number of payloads are ordinary.
        int payloads = Payload.values().length;
        cases.add(withOutputs("many-ranks", FusedCase.random(type, 9, 1, 24, payloads)));
        cases.add(withOutputs("deep", FusedCase.random(type, 4, 1, 384, 2L * payloads)));
        cases.add(withOutputs("padded", FusedCase.random(type, 2, 1, 1000, 3L * payloads)));
        ByteBuffer zeros = Payload.ZEROS.tensor(type, 8, new SplittableRandom(1));
        cases.add(withOutputs(
                "nothing-and-eps-0",
                new FusedCase(
                        type,
                        Epilogue.RESIDUAL_RMSNORM,
                        1,
                        8,
                        0f,
                        new ReferenceInputs(List.of(zeros, zeros), zeros, zeros))));
        return new VectorFile(type, conversions, cases);
    }

    String text() {
        StringBuilder text = new StringBuilder("# Test vectors of docs/numerics.md for " + type.wireName() + ".\n")
                .append("# Elements are bits in hex, in index order; eps is fp32 bits in hex.\n")
                .append("# round <fp32 bits> <element>\n");
        for (int[] pair : conversions) {
            text.append(String.format(type.bytes() == 2 ? "round %08x %04x\n" : "round %08x %08x\n", pair[0], pair[1]));
        }
        cases.forEach(each -> text.append('\n').append(each.text()));
        return text.toString();
    }

    /** Writes all files into a folder. */
    public static void main(String[] folder) throws IOException {
        for (DType type : DType.values()) {
            Files.writeString(Path.of(folder[0], fileName(type)), generate(type).text());
        }
    }

    private static VectorCase withOutputs(String name, FusedCase fused) {
        return new VectorCase(name, fused, fused.byReference());
    }

    private static String fileName(DType type) {
        return "vectors-" + type.wireName() + ".txt";
    }
}
