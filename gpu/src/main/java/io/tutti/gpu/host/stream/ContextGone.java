package io.tutti.gpu.host.stream;

/** Makes a waiting kernel leave whose context is lost or whose driver closes; never seen outside the stream's thread. */
final class ContextGone extends RuntimeException {

    private static final long serialVersionUID = 1L;

    static final ContextGone INSTANCE = new ContextGone();

    private ContextGone() {
        super("the context is gone", null, false, false);
    }
}
