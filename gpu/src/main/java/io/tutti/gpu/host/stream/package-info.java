/**
 * The host driver's streams, events and graphs: a thread with a queue for each stream, and the commands in it. Internal to
 * the host driver; no call of the driver interface is spelled here. Start at {@link io.tutti.gpu.host.stream.HostStream}.
 */
@NullMarked
package io.tutti.gpu.host.stream;

import org.jspecify.annotations.NullMarked;
