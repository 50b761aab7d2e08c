/**
 * Devices without actors: the driver interface and its implementations, memory and handles, preflight, path planning,
 * the signal pad, kernels and the fused operation. Nothing here knows Pekko, configuration files or the wire. Start with
 * the driver interface.
 */
@NullMarked
package io.tutti.gpu;

import org.jspecify.annotations.NullMarked;
