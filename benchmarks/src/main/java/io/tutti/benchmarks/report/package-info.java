/**
 * The figures as people and programs read them: a table in the columns of nccl-tests, JSON with fixed names, CSV. Pure:
 * rows in, characters out. Start with {@link io.tutti.benchmarks.report.BenchTable}.
 */
@NullMarked
package io.tutti.benchmarks.report;

import org.jspecify.annotations.NullMarked;
