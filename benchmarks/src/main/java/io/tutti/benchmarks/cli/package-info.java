/**
 * The command {@code bench}: options become a request, rows become text, JSON and CSV. Found by the launcher as a service.
 * Start with {@link io.tutti.benchmarks.cli.BenchCommand}.
 */
@NullMarked
package io.tutti.benchmarks.cli;

import org.jspecify.annotations.NullMarked;
