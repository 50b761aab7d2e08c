package io.tutti.gpu.driver;

/**
 * A context that is current on the calling thread for a while, for calls that users make in threads of their own: when the
 * scope is closed, what was current before is current again. Where nothing was, the context stays, which costs later calls
 * less. Opened and closed by one thread.
 */
public final class ContextScope implements AutoCloseable {

    private final Driver driver;
    private final CuContext before;
    private final boolean other;

    private ContextScope(Driver driver, CuContext before, boolean other) {
        this.driver = driver;
        this.before = before;
        this.other = other;
    }

    /** Makes a context current. */
    public static ContextScope enter(Driver driver, CuContext context) {
        CuContext before = driver.ctxGetCurrent();
        boolean other = !before.equals(context);
        if (other) {
            driver.ctxSetCurrent(context);
        }
        return new ContextScope(driver, before, other && before.value() != 0);
    }

    @Override
    public void close() {
        if (other) {
            driver.ctxSetCurrent(before);
        }
    }
}
