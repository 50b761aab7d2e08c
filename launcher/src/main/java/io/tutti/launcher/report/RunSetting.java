package io.tutti.launcher.report;

/**
 * Where a run took place.
 *
 * @param driver the driver that was used
 * @param topology the topology that was emulated
 * @param processes processes that hosted the ranks
 */
public record RunSetting(String driver, String topology, int processes) {}
