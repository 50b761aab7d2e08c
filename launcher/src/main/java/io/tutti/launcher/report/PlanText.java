package io.tutti.launcher.report;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.PairClass;
import io.tutti.gpu.plan.PlanningResult;
import io.tutti.gpu.plan.RejectedPath;
import io.tutti.gpu.workspace.WorkspaceLayout;
import io.tutti.launcher.plan.CommunicatorPlan;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The result of {@code plan} for people. */
public final class PlanText {

    private static final String LINE = "  %-14s %s%n";

    private PlanText() {}

    /** Lines, the last one ended. */
    public static String of(String topology, List<CommunicatorPlan> plans) {
        return plans.stream()
                .map(plan -> communicator(topology, plan))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static String communicator(String topology, CommunicatorPlan plan) {
        StringBuilder text = new StringBuilder(String.format("communicator %s%n", plan.name()));
        line(
                text,
                "world",
                plan.worldSize() + " ranks in " + plan.processes() + " processes on " + plan.hosts()
                        + " hosts, topology " + topology);
        if (plan.result() instanceof PlanningResult.Planned planned) {
            planned(text, planned.plan());
        } else {
            PlanningResult.Refused refused = (PlanningResult.Refused) plan.result();
            line(text, "path", "none");
            rejected(text, refused.rejected());
            line(text, "why", refused.error().message());
            line(text, "what to do", refused.error().advice());
        }
        return text.toString();
    }

    private static void planned(StringBuilder text, EpochPlan plan) {
        line(text, "path", plan.path().wireName());
        for (Map.Entry<PairClass, HandleKind> kind : new TreeMap<>(plan.handleKinds()).entrySet()) {
            line(text, words(kind.getKey()), kind.getValue().wireName() + " handles");
        }
        line(text, "workspace", WorkspaceLayout.of(plan.workspace()).totalBytes() + " bytes on each rank");
        rejected(text, plan.rejected());
    }

    private static void rejected(StringBuilder text, List<RejectedPath> rows) {
        rows.forEach(row -> line(text, "not " + row.path().wireName(), RejectedRows.describe(row)));
    }

    /** Where two ranks are, as reports write it. */
    static String words(PairClass pairClass) {
        return pairClass.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format(LINE, name, value));
    }
}
