package io.tutti.gpu.driver;

/**
 * What a device is, independent of its ordinal.
 *
 * @param name the product name
 * @param uuid the device's UUID as {@code GPU-xxxxxxxx-…}; two ranks on one UUID share a device
 * @param pciBusId domain:bus:device.function
 * @param totalBytes the device's memory
 */
public record DeviceIdentity(String name, String uuid, String pciBusId, long totalBytes) {}
