package io.tutti.gpu.driver;

import java.nio.ByteBuffer;

/**
 * Host memory that a device can read and write.
 *
 * @param buffer the host's view, direct, native byte order
 * @param devicePointer the device's view of the same bytes
 */
public record HostMapped(ByteBuffer buffer, long devicePointer) {}
