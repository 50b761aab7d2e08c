package io.tutti.gpu.plan;

import io.tutti.gpu.PathKind;
import org.jspecify.annotations.Nullable;

/**
 * Why a path above the one taken was not taken, or a handle kind of the one taken was not used.
 *
 * @param path the rejected path, or the path whose handle kind was refused when tried
 * @param rank the first rank that rules it out, or null when it is ruled out for all alike
 * @param stage the stage at which it was ruled out ({@code plan} or the name of a trial stage)
 * @param call the driver call that refused, or null when policy or placement forbids it
 * @param result the driver's result name, or null likewise
 * @param advice what an operator can do; never empty
 */
public record RejectedPath(
        PathKind path,
        @Nullable Integer rank,
        String stage,
        @Nullable String call,
        @Nullable String result,
        String advice) {}
