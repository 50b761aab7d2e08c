package io.tutti.gpu.model;

import java.util.Locale;

/** One collective call of a few vectors. */
record Call(Kernel kernel, int vectors) {

    private static final int MAX_VECTORS = 8;

    enum Kernel {
        /** {@code one_shot_narrow}: the speaker has rows of its own and matches headers behind its first. */
        NARROW,
        /** {@code one_shot_single} with an idle speaker, which matches headers at once. */
        SINGLE,
        /** {@code one_shot_wide}: headers are matched last. */
        WIDE,
        /** {@code two_shot}. */
        TWO_SHOT
    }

    static Call narrow(int vectors) {
        return new Call(Kernel.NARROW, vectors);
    }

    static Call single(int vectors) {
        return new Call(Kernel.SINGLE, vectors);
    }

    static Call wide(int vectors) {
        return new Call(Kernel.WIDE, vectors);
    }

    static Call twoShot(int vectors) {
        return new Call(Kernel.TWO_SHOT, vectors);
    }

    boolean isTwoShot() {
        return kernel == Kernel.TWO_SHOT;
    }

    /** Differs for calls that differ; below 32. */
    int fingerprint() {
        return kernel.ordinal() * MAX_VECTORS + vectors - 1;
    }

    @Override
    public String toString() {
        return kernel.name().toLowerCase(Locale.ROOT) + "(" + vectors + ")";
    }
}
