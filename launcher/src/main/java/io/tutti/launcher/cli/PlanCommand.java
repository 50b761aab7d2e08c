package io.tutti.launcher.cli;

import com.typesafe.config.Config;
import io.tutti.actors.driver.Drivers;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.ConfigOverride;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.plan.PathPlanner;
import io.tutti.gpu.plan.PlanningResult;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.launcher.logging.StderrLogging;
import io.tutti.launcher.plan.CommunicatorPlan;
import io.tutti.launcher.plan.EmulatedFacts;
import io.tutti.launcher.report.PlanJson;
import io.tutti.launcher.report.PlanText;
import io.tutti.launcher.spi.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tutti plan}. */
@Command(
        name = "plan",
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Shows which path the communicators of a configuration would take on an emulated machine, and why no better one:"
                    + " the same planner on the same facts as in a run, but nothing is started and nothing is tried."
        },
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:every communicator has a path",
            "1:one has none",
            "2:bad usage or configuration",
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tutti plan --topology gb200-nvl72-18x4",
            "  tutti plan --topology h200-2x8 --json",
            "  tutti plan --topology h200-8 --handles legacy-ipc --processes 8"
        })
final class PlanCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    ClusterOptions cluster;

    @Mixin
    ReportOptions report;

    @Mixin
    StandardOptions standard;

    PlanCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        StderrLogging.setVerbose(report.verbose());
        Config config = cluster.load(List.of(), console.environment());
        TuttiSettings configured = TuttiSettings.load(config, console.environment());
        Topology topology = Drivers.topology(configured);
        TuttiSettings settings = rankPerDevice(config, configured, topology)
                .map(ranks -> cluster.load(List.of(ranks), console.environment()))
                .map(complete -> TuttiSettings.load(complete, console.environment()))
                .orElse(configured);
        EmulatedFacts facts = new EmulatedFacts(topology, FaultPlan.parse(settings.inject()));
        List<CommunicatorPlan> plans = new ArrayList<>();
        for (CommunicatorSettings communicator : settings.communicators()) {
            plans.add(plan(communicator, topology, facts, settings));
        }
        if (report.json()) {
            console.out().println(PlanJson.of(topology.name(), plans));
        } else {
            console.out().print(PlanText.of(topology.name(), plans));
        }
        boolean all = plans.stream().allMatch(plan -> plan.result() instanceof PlanningResult.Planned);
        return all ? ExitStatus.GOOD : ExitStatus.FAILED;
    }

    /** Nothing where the topology itself goes by the number of ranks. */
    private Optional<ConfigOverride> rankPerDevice(Config config, TuttiSettings configured, Topology topology) {
        if (configured.topology().equals(TuttiSettings.LOCAL)) {
            return Optional.empty();
        }
        int devices = topology.hosts().stream()
                .mapToInt(host -> host.devices().size())
                .sum();
        return cluster.rankPerDevice(config, devices, "the devices of the topology");
    }

    private CommunicatorPlan plan(
            CommunicatorSettings communicator, Topology topology, EmulatedFacts facts, TuttiSettings settings) {
        int worldSize = communicator.worldSize();
        int perHost = topology.hosts().get(0).devices().size();
        int hosts = (worldSize + perHost - 1) / perHost;
        int processes = cluster.setsProcesses() ? cluster.processes() : hosts;
        if (processes > worldSize) {
            throw Usage.mistake(
                    "more processes than ranks: --processes=" + processes + " ranks=" + worldSize,
                    "Give --processes from 1 to " + worldSize + ".");
        }
        List<RankFacts> all = facts.collect(worldSize, processes);
        long occupied = all.stream().map(RankFacts::hostId).distinct().count();
        return new CommunicatorPlan(
                communicator.name(),
                worldSize,
                (int) occupied,
                processes,
                PathPlanner.plan(all, settings.policy(), List.of()));
    }
}
