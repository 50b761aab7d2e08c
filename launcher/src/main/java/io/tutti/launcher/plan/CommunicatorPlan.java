package io.tutti.launcher.plan;

import io.tutti.gpu.plan.PlanningResult;

/**
 * The planner's answer for one communicator.
 *
 * @param name the communicator's name
 * @param worldSize its ranks
 * @param hosts hosts that its ranks are on
 * @param processes processes that host them
 * @param result what was planned, or why nothing was
 */
public record CommunicatorPlan(String name, int worldSize, int hosts, int processes, PlanningResult result) {}
