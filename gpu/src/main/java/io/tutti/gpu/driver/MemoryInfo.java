package io.tutti.gpu.driver;

/** Free and total bytes of a device. */
public record MemoryInfo(long freeBytes, long totalBytes) {}
