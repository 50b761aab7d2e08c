package io.tutti.benchmarks.cli;

import com.typesafe.config.Config;
import io.tutti.benchmarks.forming.FormingRow;
import io.tutti.benchmarks.forming.FormingRun;
import io.tutti.benchmarks.forming.FormingSize;
import io.tutti.benchmarks.report.FormingReport;
import io.tutti.config.ConfigLoader;
import io.tutti.config.ConfigOverride;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.DType;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.workspace.WorkspaceSpecs;
import io.tutti.launcher.cli.ClusterOptions;
import io.tutti.launcher.cli.ConsoleProgress;
import io.tutti.launcher.cli.ExitStatus;
import io.tutti.launcher.cli.OptionTypes;
import io.tutti.launcher.cli.ReportOptions;
import io.tutti.launcher.cli.RunLimits;
import io.tutti.launcher.cli.StandardOptions;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.logging.StderrLogging;
import io.tutti.launcher.spi.CommandContext;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code tutti bench-forming}. */
@Command(
        name = BenchFormingCommand.NAME,
        sortOptions = false,
        description = {
            "Measures how long communicators take to form on an emulated machine, and how many messages that takes, over"
                    + " their size and their number. All ranks live in this process."
        },
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:every communicator formed in its first epoch",
            "1:one did not",
            "2:bad usage or configuration, or memory that is not to be had",
            "130:stopped by Ctrl-C and closed",
            "143:stopped by SIGTERM and closed"
        },
        footerHeading = "%nMethod:%n",
        footer = {
            "  Each round starts a runtime, waits for all its communicators, and closes it. start(ms) is that time until",
            "  the last communicator can be used, joining the cluster included; forming(ms) is the slowest",
            "  communicator's time from the order of its epoch's first stage until all ranks are in it. Both are medians",
            "  over the rounds, after rounds that are not counted. Every rank has the smallest workspace of its world.",
            "",
            "Examples:",
            "  tutti bench-forming",
            "  tutti bench-forming --sizes 8,16,32,64 --path p2p --json"
        })
final class BenchFormingCommand implements Callable<Integer> {

    static final String NAME = "bench-forming";

    private static final String ORIGIN = "the command " + NAME;

    /** Any; forming does not depend on it. */
    private static final OperationShape SHAPE = new OperationShape(1, 8, DType.FP32);

    private final CommandContext context;

    @Option(
            names = "--sizes",
            paramLabel = "LIST",
            order = 10,
            split = ",",
            converter = Size.class,
            description =
                    "What to form at once: 72 is one communicator of 72 ranks, 36x8 are 36 of eight each; separated"
                            + " by commas. Default: 8,72,36x8,72x8.")
    List<FormingSize> sizes =
            List.of(new FormingSize(1, 8), new FormingSize(1, 72), new FormingSize(36, 8), new FormingSize(72, 8));

    @Option(
            names = "--rounds",
            paramLabel = "N",
            order = 11,
            converter = OptionTypes.Iterations.class,
            description = "Rounds that are counted, after half as many that are not. Default: 5.")
    int rounds = 5;

    @Option(
            names = "--topology",
            paramLabel = "NAME|FILE",
            order = 12,
            description = "The emulated machine. Default: gb200-nvl72-18x4.")
    String topology = "gb200-nvl72-18x4";

    @Option(
            names = "--path",
            paramLabel = "NAME",
            order = 13,
            converter = OptionTypes.Path.class,
            description = "Allow only this path. Default: the best that works.")
    @Nullable
    PathKind path;

    @Mixin
    ReportOptions report;

    @Mixin
    StandardOptions standard;

    BenchFormingCommand(CommandContext context) {
        this.context = context;
    }

    /** {@code --sizes}. */
    static final class Size implements ITypeConverter<FormingSize> {
        @Override
        public FormingSize convert(String text) {
            return FormingSize.parse(text)
                    .orElseThrow(() -> new TypeConversionException("'" + text
                            + "' is not allowed; allowed: ranks from 1 to 72, such as 72, or with a number of communicators"
                            + " from 1 to " + FormingSize.MOST_COMMUNICATORS + ", such as 36x8"));
        }
    }

    @Override
    public Integer call() {
        StderrLogging.setVerbose(report.verbose());
        // Everything that can be wrong is found before the first round.
        sizes.forEach(this::setting);
        List<FormingRow> rows = new ArrayList<>();
        ConsoleProgress progress = new ConsoleProgress(context.console(), System::nanoTime);
        try {
            FormingRun run = new FormingRun(context.starter(), context.waits(), progress, this::setting);
            print(progress, FormingReport.header());
            run.measure(sizes, (rounds + 1) / 2, rounds, row -> {
                print(progress, FormingReport.line(row));
                rows.add(row);
            });
        } finally {
            progress.done();
        }
        if (report.json()) {
            context.console().out().println(FormingReport.json(topology, rows));
        }
        return ExitStatus.GOOD;
    }

    private void print(ConsoleProgress progress, String line) {
        if (!report.json()) {
            progress.done();
            PrintWriter out = context.console().out();
            out.println(line);
            out.flush();
        }
    }

    /** @throws io.tutti.gpu.TuttiException with code CONFIGURATION */
    private FormingRun.FormingSetting setting(FormingSize size) {
        List<String> names =
                IntStream.range(0, size.communicators()).mapToObj(i -> "tp" + i).toList();
        List<ConfigOverride> overrides = new ArrayList<>();
        overrides.add(new ConfigOverride("tutti.driver", "host", ORIGIN));
        overrides.add(new ConfigOverride("tutti.topology", topology, "option --topology"));
        if (path != null) {
            overrides.add(new ConfigOverride("tutti.paths", List.of(path.wireName()), "option --path"));
        }
        overrides.add(
                new ConfigOverride("tutti.workspace.size", WorkspaceSpecs.leastBudget(size.ranks()) + " B", ORIGIN));
        names.forEach(name -> overrides.add(
                new ConfigOverride("tutti.communicators." + name + ".world-size", size.ranks(), "option --sizes")));
        overrides.add(ClusterOptions.closedByTheCommand());
        Config config = ConfigLoader.load(
                Optional.empty(), Optional.empty(), overrides, context.console().environment());
        TuttiSettings settings = TuttiSettings.load(config, context.console().environment());
        return new FormingRun.FormingSetting(
                config, names, RunLimits.of(settings, SHAPE).forming());
    }
}
