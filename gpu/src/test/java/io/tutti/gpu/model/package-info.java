/**
 * A model of what the CUDA kernels of several ranks and the hosts around them do to each other's memory, and a checker
 * that explores every order in which it can happen. The table in {@code docs/memory-model.md} says which line of the
 * kernels each step stands for. Start at {@link io.tutti.gpu.model.KernelProgram}, which reads like a kernel, then see
 * {@link io.tutti.gpu.model.Machine} for what may happen next, and {@link io.tutti.gpu.model.Rule} for what would break.
 */
@NullMarked
package io.tutti.gpu.model;

import org.jspecify.annotations.NullMarked;
