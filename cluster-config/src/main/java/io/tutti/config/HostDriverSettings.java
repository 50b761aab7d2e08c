package io.tutti.config;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What the host driver emulates.
 *
 * @param devices devices of this machine, or empty for as many as the topology has
 * @param memoryPerDeviceBytes memory of one device in bytes, or empty for what the topology says
 * @param bindThreads whether each device's threads stay on a processor of their own
 */
public record HostDriverSettings(OptionalInt devices, OptionalLong memoryPerDeviceBytes, boolean bindThreads) {}
