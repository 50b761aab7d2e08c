package io.tutti.gpu.plan;

import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import org.jspecify.annotations.Nullable;

/**
 * A path, or one handle kind on it, that failed when it was tried; the planner plans around it.
 *
 * @param path the path
 * @param kind the handle kind, or null when the whole path is out
 * @param stage the stage at which it failed
 * @param error the failing rank's own words
 * @param epoch the number of the epoch that was formed then, or 0 where it was not told
 */
public record Exclusion(PathKind path, @Nullable HandleKind kind, String stage, ErrorInfo error, long epoch) {

    /** Of an epoch that is not told. */
    public Exclusion(PathKind path, @Nullable HandleKind kind, String stage, ErrorInfo error) {
        this(path, kind, stage, error, 0);
    }

    /** In one line for people. */
    public String describe() {
        String what = kind == null ? path.wireName() : path.wireName() + " by " + kind.wireName();
        return what + " was refused in epoch " + epoch + " at stage " + stage + ": " + error.describe();
    }
}
