/**
 * The host driver's memory: physical memory and where it comes from, the emulated address space, who may access what, and
 * when memory may really go. Internal to the host driver; no call of the driver interface is spelled here. Start at
 * {@link io.tutti.gpu.host.memory.AddressSpace}.
 */
@NullMarked
package io.tutti.gpu.host.memory;

import org.jspecify.annotations.NullMarked;
