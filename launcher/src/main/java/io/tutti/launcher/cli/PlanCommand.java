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
import io.tutti.gpu.plan.Policy;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.launcher.facts.FactsFile;
import io.tutti.launcher.facts.SavedFacts;
import io.tutti.launcher.logging.StderrLogging;
import io.tutti.launcher.plan.CommunicatorPlan;
import io.tutti.launcher.plan.EmulatedFacts;
import io.tutti.launcher.report.PlanJson;
import io.tutti.launcher.report.PlanText;
import io.tutti.launcher.spi.Console;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tutti plan}. */
@Command(
        name = "plan",
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Shows which path the communicators of a configuration would take on an emulated machine, or on one whose facts"
                    + " were saved, and why no better one: the same planner on the same facts as in a run, but nothing is"
                    + " started and nothing is tried."
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
            "  tutti plan --topology h200-8 --handles legacy-ipc --processes 8",
            "  tutti plan --facts cluster.json --path p2p"
        })
final class PlanCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    ClusterOptions cluster;

    @Option(
            names = "--facts",
            paramLabel = "FILE",
            order = 50,
            description =
                    "Plan for the machines whose facts tutti preflight --save-facts FILE has saved, in place of an"
                            + " emulated one.")
    @Nullable
    Path facts;

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
        Answer answer = facts == null ? emulated() : saved(facts);
        if (report.json()) {
            console.out().println(PlanJson.of(answer.topology(), answer.plans()));
        } else {
            console.out().print(PlanText.of(answer.topology(), answer.plans()));
        }
        boolean all = answer.plans().stream().allMatch(plan -> plan.result() instanceof PlanningResult.Planned);
        return all ? ExitStatus.GOOD : ExitStatus.FAILED;
    }

    private record Answer(String topology, List<CommunicatorPlan> plans) {}

    private Answer emulated() {
        Config config = cluster.load(List.of(), console.environment());
        TuttiSettings configured = TuttiSettings.load(config, console.environment());
        Topology topology = Drivers.topology(configured);
        TuttiSettings settings = rankPerDevice(config, configured, topology)
                .map(ranks -> cluster.load(List.of(ranks), console.environment()))
                .map(complete -> TuttiSettings.load(complete, console.environment()))
                .orElse(configured);
        EmulatedFacts emulated = new EmulatedFacts(topology, FaultPlan.parse(settings.inject()));
        return new Answer(
                topology.name(),
                settings.communicators().stream()
                        .map(communicator -> plan(communicator, topology, emulated, settings))
                        .toList());
    }

    /** Ranks, processes and devices are those of the file; what is allowed is for the settings to say. */
    private Answer saved(Path file) {
        cluster.placing().ifPresent(option -> {
            throw Usage.mistake(
                    "option " + option + " contradicts --facts, whose file says where the ranks are: file=" + file,
                    "Leave " + option + " out.");
        });
        SavedFacts saved = FactsFile.read(file);
        Config config = cluster.load(List.of(), console.environment());
        Policy policy = TuttiSettings.load(config, console.environment()).policy();
        return new Answer(
                saved.topology(),
                saved.communicators().stream()
                        .map(communicator -> plan(communicator.name(), communicator.facts(), policy))
                        .toList());
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
            CommunicatorSettings communicator, Topology topology, EmulatedFacts emulated, TuttiSettings settings) {
        int worldSize = communicator.worldSize();
        int perHost = topology.hosts().get(0).devices().size();
        int hosts = (worldSize + perHost - 1) / perHost;
        int processes = cluster.setsProcesses() ? cluster.processes() : hosts;
        if (processes > worldSize) {
            throw Usage.mistake(
                    "more processes than ranks: --processes=" + processes + " ranks=" + worldSize,
                    "Give --processes from 1 to " + worldSize + ".");
        }
        return plan(communicator.name(), emulated.collect(worldSize, processes), settings.policy());
    }

    private static CommunicatorPlan plan(String name, List<RankFacts> facts, Policy policy) {
        return new CommunicatorPlan(
                name,
                facts.size(),
                (int) facts.stream().map(RankFacts::hostId).distinct().count(),
                (int) facts.stream().map(RankFacts::processId).distinct().count(),
                PathPlanner.plan(facts, policy, List.of()));
    }
}
