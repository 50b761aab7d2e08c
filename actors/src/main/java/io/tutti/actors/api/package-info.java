/**
 * What users hold: communicators, ranks and their tensors, as interfaces. Values and requests are in
 * {@code io.tutti.gpu.op}; how these interfaces come alive is no concern of this package. Start at
 * {@link io.tutti.actors.api.Communicator}.
 */
@NullMarked
package io.tutti.actors.api;

import org.jspecify.annotations.NullMarked;
