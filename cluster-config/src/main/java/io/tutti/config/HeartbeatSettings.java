package io.tutti.config;

import java.time.Duration;

/**
 * How ranks and coordinator stay in contact.
 *
 * @param interval how often a rank says hello to the coordinator
 * @param timeout how long a rank may be silent before it counts as lost
 */
public record HeartbeatSettings(Duration interval, Duration timeout) {}
