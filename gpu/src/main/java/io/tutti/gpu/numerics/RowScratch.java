package io.tutti.gpu.numerics;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;

/**
 * Room to convert the words of one row, confined to one thread. Bits turn into floats and back by copying them through the
 * two views of one buffer, which costs far less than a loop that C2 does not vectorise.
 */
final class RowScratch {
    final int[] first;
    final int[] second;
    final int[] third;
    final float[] floats;
    private final IntBuffer asInts;
    private final FloatBuffer asFloats;

    RowScratch(int words) {
        first = new int[words];
        second = new int[words];
        third = new int[words];
        floats = new float[words];
        ByteBuffer buffer = ByteBuffer.allocate(words * Integer.BYTES).order(ByteOrder.nativeOrder());
        asInts = buffer.asIntBuffer();
        asFloats = buffer.asFloatBuffer();
    }

    /** Reinterprets bits as floats. */
    void toFloats(int[] bits, int from, float[] floats, int count) {
        asInts.put(0, bits, from, count);
        asFloats.get(0, floats, 0, count);
    }

    /** Reinterprets floats as bits. */
    void toBits(float[] floats, int[] bits, int count) {
        asFloats.put(0, floats, 0, count);
        asInts.get(0, bits, 0, count);
    }

    /** Joins two lanes of 16-bit elements to words. */
    static void pack(int[] low, int[] high, int[] words, int count) {
        for (int i = 0; i < count; i++) {
            words[i] = low[i] | (high[i] << 16);
        }
    }
}
