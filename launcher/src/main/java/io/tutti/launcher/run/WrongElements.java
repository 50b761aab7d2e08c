package io.tutti.launcher.run;

import io.tutti.launcher.input.OperationShape;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares outputs bit for bit, counts the elements that differ and remembers the first. Confined to one thread. */
final class WrongElements {

    private final OperationShape shape;
    private @Nullable Element first;
    private long count;
    private long compared;

    WrongElements(OperationShape shape) {
        this.shape = shape;
    }

    /**
     * One wrong element.
     *
     * @param token its row
     * @param index its place in the row
     * @param bits bytes of an element times 8
     */
    record Element(int rank, OutputTensor tensor, long token, int index, int expected, int found, int bits) {

        String describe() {
            return "rank=" + rank + " tensor=" + tensor.fileName() + " token=" + token + " index=" + index
                    + " expectedBits=" + hex(expected) + " foundBits=" + hex(found);
        }

        private String hex(int value) {
            return bits == 16 ? String.format("0x%04x", value & 0xffff) : String.format("0x%08x", value);
        }
    }

    /** Compares the remaining bytes of both buffers, little-endian rows from row {@code firstToken} on. */
    void compare(int rank, OutputTensor tensor, long firstToken, ByteBuffer expected, ByteBuffer found) {
        int bytes = shape.dtype().bytes();
        int elements = expected.remaining() / bytes;
        compared += elements;
        if (expected.mismatch(found) < 0) {
            return;
        }
        for (int i = 0; i < elements; i++) {
            int want = element(expected, i, bytes);
            int got = element(found, i, bytes);
            if (want != got) {
                count++;
                if (first == null) {
                    first = new Element(
                            rank,
                            tensor,
                            firstToken + i / shape.hidden(),
                            i % shape.hidden(),
                            want,
                            got,
                            bytes * Byte.SIZE);
                }
            }
        }
    }

    private static int element(ByteBuffer rows, int index, int bytes) {
        return bytes == 2 ? rows.getShort(index * 2) : rows.getInt(index * 4);
    }

    Optional<Element> first() {
        return Optional.ofNullable(first);
    }

    long count() {
        return count;
    }

    long compared() {
        return compared;
    }
}
