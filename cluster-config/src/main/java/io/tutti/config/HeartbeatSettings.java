package io.tutti.config;

import java.time.Duration;

/**
 * How ranks and coordinator stay in contact.
 *
 * @param interval how often a rank says hello to the coordinator
 */
public record HeartbeatSettings(Duration interval) {}
