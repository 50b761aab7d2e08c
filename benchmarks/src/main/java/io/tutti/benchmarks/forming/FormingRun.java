package io.tutti.benchmarks.forming;

import com.typesafe.config.Config;
import io.tutti.actors.api.Communicator;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.run.Progress;
import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Forms communicators again and again, each time with a runtime of its own, which it closes before the next. Confined to one
 * thread; another thread may stop it through {@link Waits}.
 */
public final class FormingRun {

    private record Round(double startMillis, double formingMillis, double messagesPerRank) {}

    private final RunRuntime.Starter starter;
    private final Waits waits;
    private final Progress progress;
    private final Function<FormingSize, FormingSetting> settings;

    /**
     * What a runtime is started with.
     *
     * @param config with the communicators
     * @param communicators their names
     * @param forming how long they may take
     */
    public record FormingSetting(Config config, List<String> communicators, Duration forming) {}

    public FormingRun(
            RunRuntime.Starter starter,
            Waits waits,
            Progress progress,
            Function<FormingSize, FormingSetting> settings) {
        this.starter = starter;
        this.waits = waits;
        this.progress = progress;
        this.settings = settings;
    }

    /**
     * Measures one size after the other.
     *
     * @param warmUps rounds of each that are not counted
     * @param rounds rounds of each that are
     * @param each told every row as soon as it is measured
     * @throws TuttiException why a communicator did not form
     */
    public void measure(List<FormingSize> sizes, int warmUps, int rounds, Consumer<FormingRow> each) {
        try (ControlPlaneFigures figures = new ControlPlaneFigures()) {
            for (FormingSize size : sizes) {
                each.accept(measure(size, warmUps, rounds, figures));
            }
        } catch (RuntimeException e) {
            throw waits.explain(e);
        }
    }

    private FormingRow measure(FormingSize size, int warmUps, int rounds, ControlPlaneFigures figures) {
        FormingSetting setting = settings.apply(size);
        List<Round> measured = new ArrayList<>();
        for (int round = 0; round < warmUps + rounds; round++) {
            progress.at("forming " + size.describe() + ", rounds", round, warmUps + rounds);
            Round result = round(size, setting, figures);
            if (round >= warmUps) {
                measured.add(result);
            }
        }
        return new FormingRow(
                size,
                median(measured, Round::startMillis),
                median(measured, Round::formingMillis),
                median(measured, Round::messagesPerRank));
    }

    private Round round(FormingSize size, FormingSetting setting, ControlPlaneFigures figures) {
        waits.checkpoint();
        figures.begin();
        long start = System.nanoTime();
        return starter.use(setting.config(), runtime -> {
            List<CompletionStage<Communicator>> all =
                    setting.communicators().stream().map(runtime::communicator).toList();
            for (int i = 0; i < all.size(); i++) {
                waits.await(
                        all.get(i),
                        setting.forming(),
                        "communicator " + setting.communicators().get(i) + " to form");
            }
            double millis = (System.nanoTime() - start) / 1e6;
            requireFirstEpochs(size, figures.epochs());
            return new Round(millis, figures.slowestFormingMillis(), figures.messages() / size.allRanks());
        });
    }

    /** An epoch that failed and was formed again would be a figure of something else. */
    private static void requireFirstEpochs(FormingSize size, long epochs) {
        if (epochs != size.communicators()) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.INTERNAL,
                    "other epochs were formed than were measured: size=" + size.describe() + " epochs=" + epochs,
                    "Look at the log (--verbose) for epochs that ended."));
        }
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
