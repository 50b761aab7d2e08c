package io.tutti.launcher.cli;

import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.ErrorInfo;
import io.tutti.launcher.facts.FactsFile;
import io.tutti.launcher.facts.SavedFacts;
import io.tutti.launcher.input.SeededTensors;
import io.tutti.launcher.preflight.CommunicatorReport;
import io.tutti.launcher.preflight.PreflightJob;
import io.tutti.launcher.preflight.PreflightParts;
import io.tutti.launcher.processes.JvmCommand;
import io.tutti.launcher.processes.ProcessesJob;
import io.tutti.launcher.processes.ProcessesPlan;
import io.tutti.launcher.processes.RankProcessSupport;
import io.tutti.launcher.report.ErrorText;
import io.tutti.launcher.report.PreflightJson;
import io.tutti.launcher.report.PreflightText;
import io.tutti.launcher.report.RunSetting;
import io.tutti.launcher.run.Operation;
import io.tutti.launcher.run.RunRequest;
import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.Waits;
import io.tutti.launcher.spi.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tutti preflight}. */
@Command(
        name = PreflightCommand.NAME,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Forms the communicators of a configuration as a run would, each path tried for real until one works, and shows"
                    + " what each rank can and cannot use and why. Runs no collective and gives everything back."
        },
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:every communicator has a path",
            "1:one has none",
            "2:bad usage or configuration, or a port, file or memory that is not to be had",
            "3:every communicator has a path, but something that the facts promised was refused when tried",
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tutti preflight",
            "  tutti preflight --processes 8 --save-facts cluster.json",
            "  tutti preflight --topology h200-8 --inject 'rank=3 call=cuMulticastGetGranularity result=CUDA_ERROR_UNKNOWN'",
            "  tutti plan --facts cluster.json"
        })
final class PreflightCommand implements Callable<Integer> {

    static final String NAME = "preflight";

    private final Console console;
    private final RunRuntime.Starter starter;
    private final Waits waits;
    private final RankProcessSupport support;

    @Mixin
    PreflightOptions options;

    @Mixin
    StandardOptions standard;

    @Spec
    CommandSpec spec;

    PreflightCommand(Console console, RunRuntime.Starter starter, Waits waits, RankProcessSupport support) {
        this.console = console;
        this.starter = starter;
        this.waits = waits;
        this.support = support;
    }

    @Override
    public Integer call() {
        options.startLogging();
        int processes = options.cluster.processes();
        Placement placement = processes == 1 ? new Placement.Here() : new Placement.Elsewhere();
        DriverDecision decision = options.decide(console.environment(), placement);
        ConsoleProgress progress = new ConsoleProgress(console, System::nanoTime);
        List<CommunicatorReport> reports;
        try {
            reports = processes == 1
                    ? new PreflightJob(starter, waits, progress)
                            .run(
                                    PreflightOptions.communicators(decision.settings()),
                                    PreflightOptions.limits(decision.settings()).forming(),
                                    decision.config(),
                                    found -> found)
                    : inProcesses(decision, processes, progress);
        } finally {
            progress.done();
        }
        save(reports, decision);
        return show(
                reports,
                new RunSetting(
                        decision.survey().driver(),
                        decision.topology(),
                        processes,
                        decision.survey().passedOver()));
    }

    private List<CommunicatorReport> inProcesses(DriverDecision decision, int processes, ConsoleProgress progress) {
        JvmCommand jvm = support.jvm().get();
        List<String> arguments =
                new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
        arguments.set(arguments.indexOf(NAME), PreflightProcessCommand.NAME);
        RunRequest.Limits limits = PreflightOptions.limits(decision.settings());
        return new ProcessesJob(
                        process -> jvm.rankProcess(
                                process, processes, JvmCommand.Compilation.QUICK, console.environment(), arguments),
                        support.nodes(),
                        waits,
                        progress,
                        options.report.verbose() ? this::log : line -> {})
                .converse(
                        plan(decision, processes, limits),
                        decision.config(),
                        group -> PreflightParts.merge(group.ask(PreflightOptions.QUESTION, limits.forming())));
    }

    /** Ranks are dealt to processes as for a run; the operation in the request is never made. */
    private static ProcessesPlan plan(DriverDecision decision, int processes, RunRequest.Limits limits) {
        RunRequest request = new RunRequest(
                PreflightOptions.communicators(decision.settings()),
                new Operation(Epilogue.ALL_REDUCE, 0, 1),
                ranks -> new SeededTensors(ranks, PreflightOptions.nothing(), 1),
                Optional.empty(),
                limits);
        Map<String, Integer> worldSizes = decision.settings().communicators().stream()
                .collect(Collectors.toMap(CommunicatorSettings::name, CommunicatorSettings::worldSize));
        return ProcessesPlan.of(request, worldSizes, processes, ProcessLimits.of(decision.settings(), limits));
    }

    private void log(String line) {
        console.err().println(line);
        console.err().flush();
    }

    private void save(List<CommunicatorReport> reports, DriverDecision decision) {
        if (options.saveFacts == null) {
            return;
        }
        List<SavedFacts.Communicator> communicators = reports.stream()
                .map(report -> new SavedFacts.Communicator(report.name(), report.facts()))
                .toList();
        boolean whole = reports.stream().allMatch(report -> isWhole(report, decision.settings()));
        if (whole) {
            FactsFile.save(new SavedFacts(decision.topology(), communicators), options.saveFacts);
        } else {
            log("tutti preflight: the facts are not saved, since some ranks did not tell theirs: file="
                    + options.saveFacts);
        }
    }

    private static boolean isWhole(CommunicatorReport report, TuttiSettings settings) {
        return settings.communicator(report.name())
                .filter(communicator ->
                        communicator.worldSize() == report.facts().size())
                .isPresent();
    }

    private int show(List<CommunicatorReport> reports, RunSetting setting) {
        Optional<ErrorInfo> error =
                reports.stream().flatMap(report -> report.error().stream()).findFirst();
        if (options.report.json()) {
            console.out().println(PreflightJson.of(reports, setting, error));
        } else {
            console.out().print(PreflightText.of(reports, setting));
            error.ifPresent(why -> console.err().print(ErrorText.of("tutti " + NAME, why)));
        }
        if (error.isPresent()) {
            return ExitStatus.of(error.get().code());
        }
        boolean refused = reports.stream().anyMatch(CommunicatorReport::promiseRefused);
        return refused ? ExitStatus.PROMISE_REFUSED : ExitStatus.GOOD;
    }
}
