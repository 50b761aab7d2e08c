package io.tutti.launcher.safetensors;

import java.util.List;

/**
 * One tensor as the header of a file describes it.
 *
 * @param name its name, unique in the file
 * @param type type of its elements
 * @param shape its dimensions, outermost first; empty for a scalar
 * @param begin offset of its first byte, counted from the end of the header
 * @param end offset after its last byte
 */
public record TensorEntry(String name, ElementType type, List<Long> shape, long begin, long end) {

    public TensorEntry {
        shape = List.copyOf(shape);
    }

    /** Its size in bytes. */
    public long bytes() {
        return end - begin;
    }

    /** The name as one short line for a message: a name may hold anything. */
    public String displayName() {
        return FileText.quote(name);
    }

    /** The shape for a message, cut to a readable length. */
    public String displayShape() {
        return FileText.brief(shape);
    }

    /**
     * The bytes that a tensor of that type and shape takes.
     *
     * @throws ArithmeticException where that does not fit into 63 bits
     */
    static long bytesOf(ElementType type, List<Long> shape) {
        long elements = 1;
        for (long dimension : shape) {
            elements = Math.multiplyExact(elements, dimension);
        }
        return Math.multiplyExact(elements, (long) type.bytes());
    }
}
