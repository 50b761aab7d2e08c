package io.tutti.actors.simulation;

import io.tutti.actors.protocol.Machine;
import io.tutti.actors.protocol.coordinator.CoordinatorCommand;
import io.tutti.actors.protocol.coordinator.CoordinatorConfig;
import io.tutti.actors.protocol.coordinator.CoordinatorCore;
import io.tutti.actors.protocol.coordinator.CoordinatorEvent;
import io.tutti.actors.protocol.coordinator.CoordinatorState;
import io.tutti.actors.protocol.rank.RankCommand;
import io.tutti.actors.protocol.rank.RankConfig;
import io.tutti.actors.protocol.rank.RankCore;
import io.tutti.actors.protocol.rank.RankEvent;
import io.tutti.actors.protocol.rank.RankState;

/** Makes the cores that a simulation runs: the product's own, or ones with a deliberate fault around them. */
interface Cores {

    Cores PRODUCT = new Cores() {};

    default Machine<CoordinatorState, CoordinatorEvent, CoordinatorCommand> coordinator(CoordinatorConfig config) {
        return new CoordinatorCore(config, new SimPlanner());
    }

    default Machine<RankState, RankEvent, RankCommand> rank(RankConfig config) {
        return new RankCore(config, new SimPlanner());
    }
}
