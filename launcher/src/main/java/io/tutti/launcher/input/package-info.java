/**
 * Where a run's input tensors come from: a safetensors file, or a seed. Rows are handed out in pieces of any size, so no
 * tensor has to fit into memory twice. Nothing here knows communicators. Start with {@link
 * io.tutti.launcher.input.InputTensors}.
 */
@NullMarked
package io.tutti.launcher.input;

import org.jspecify.annotations.NullMarked;
