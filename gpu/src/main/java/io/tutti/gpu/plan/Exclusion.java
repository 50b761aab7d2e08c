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
 */
public record Exclusion(PathKind path, @Nullable HandleKind kind, String stage, ErrorInfo error) {}
