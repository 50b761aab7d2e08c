package io.tutti.gpu.model;

/** What a block's speaker found before the first push. */
final class Admission {

    static final int ADMITTED = 1;
    static final int REFUSED = 2;

    private Admission() {}
}
