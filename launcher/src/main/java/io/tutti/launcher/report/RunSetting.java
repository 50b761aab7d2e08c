package io.tutti.launcher.report;

import io.tutti.gpu.ErrorInfo;
import java.util.Optional;

/**
 * Where a run took place.
 *
 * @param driver the driver that was used
 * @param topology the topology that was emulated, or {@code machine} where the devices are real
 * @param processes processes that hosted the ranks
 * @param passedOver why real devices were not used although that was left open, or empty
 */
public record RunSetting(String driver, String topology, int processes, Optional<ErrorInfo> passedOver) {}
