/**
 * How fast communicators form, and what that costs in messages, over their size and their number. Start at {@link
 * io.tutti.benchmarks.forming.FormingRun}.
 */
@NullMarked
package io.tutti.benchmarks.forming;

import org.jspecify.annotations.NullMarked;
