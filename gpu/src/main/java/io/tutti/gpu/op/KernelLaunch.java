package io.tutti.gpu.op;

import io.tutti.gpu.driver.LaunchGeometry;

/** A kernel's name and how it is spread over the device. */
public record KernelLaunch(String kernel, LaunchGeometry geometry) {}
