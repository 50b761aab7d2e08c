package io.tutti.launcher.report;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.facts.VisibleDevices;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.launcher.preflight.Abilities;
import io.tutti.launcher.preflight.Ability;
import io.tutti.launcher.preflight.CommunicatorReport;
import io.tutti.launcher.preflight.Formed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The result of {@code preflight} for people: what was agreed, a table of ranks, and each reason once. */
public final class PreflightText {

    private static final String LINE = "  %-11s %s%n";
    private static final String GAP = "  ";
    private static final long GIB = 1L << 30;

    private PreflightText() {}

    /** Lines, the last one ended. */
    public static String of(List<CommunicatorReport> reports, RunSetting setting) {
        return reports.stream()
                .map(report -> communicator(report, setting))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static String communicator(CommunicatorReport report, RunSetting setting) {
        StringBuilder text = new StringBuilder(String.format("communicator %s%n", report.name()));
        line(
                text,
                "world",
                report.facts().size() + " ranks in " + setting.processes() + " processes on " + report.hosts()
                        + " hosts, driver " + setting.driver() + ", topology " + setting.topology());
        setting.passedOver().ifPresent(why -> line(text, "not cuda", why.message()));
        report.formed().ifPresentOrElse(formed -> formed(text, formed), () -> line(text, "path", "none"));
        Map<Integer, List<Ability>> abilities = new LinkedHashMap<>();
        for (RankFacts rank : report.facts()) {
            abilities.put(rank.rank(), Abilities.of(rank, report.facts(), report.rejected()));
        }
        if (!abilities.isEmpty()) {
            text.append(table(report.facts(), abilities));
            reasons(text, abilities);
            hints(text, report.facts());
        }
        return text.toString();
    }

    private static void formed(StringBuilder text, Formed formed) {
        List<String> kinds = new TreeSet<>(formed.handleKinds().values())
                .stream().map(HandleKind::wireName).toList();
        String means = kinds.isEmpty() ? "" : " over " + String.join(", ", kinds) + " handles";
        line(text, "path", formed.path().wireName() + means + ", formed and tried in epoch " + formed.epoch());
        formed.rejected().forEach(row -> {
            boolean taken = row.path() == formed.path();
            line(text, taken ? "handles" : "not " + row.path().wireName(), RejectedRows.describe(row));
        });
        line(text, "workspace", formed.workspaceBytes() + " bytes on each rank");
        line(text, "plan", formed.hash());
    }

    /** A row for each rank and a column for each ability that any rank has or lacks. */
    private static String table(List<RankFacts> facts, Map<Integer, List<Ability>> abilities) {
        List<String> whats = abilities.values().stream()
                .flatMap(List::stream)
                .map(Ability::what)
                .distinct()
                .toList();
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("rank", "host", "device"));
        head.addAll(whats);
        rows.add(head);
        for (RankFacts rank : facts) {
            List<String> row = new ArrayList<>();
            row.add(Integer.toString(rank.rank()));
            row.add(rank.host().name());
            row.add(deviceInWords(rank));
            for (String what : whats) {
                row.add(abilities.getOrDefault(rank.rank(), List.of()).stream()
                        .filter(ability -> ability.what().equals(what))
                        .findFirst()
                        .map(ability -> ability.usable() ? "yes" : "no")
                        .orElse(""));
            }
            rows.add(row);
        }
        return aligned(rows);
    }

    private static String aligned(List<List<String>> rows) {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int at = column;
                int width =
                        rows.stream().mapToInt(r -> r.get(at).length()).max().orElse(0);
                line.append(GAP)
                        .append(row.get(column))
                        .append(" ".repeat(width - row.get(column).length()));
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return text.toString();
    }

    /** Each reason once, with the ranks that it holds for. */
    private static void reasons(StringBuilder text, Map<Integer, List<Ability>> abilities) {
        Map<String, List<Integer>> ranks = new LinkedHashMap<>();
        abilities.forEach((rank, all) -> all.stream()
                .filter(ability -> !ability.usable())
                .forEach(ability -> ranks.computeIfAbsent(
                                ability.what() + "\0: " + ability.reason() + ". " + ability.advice(),
                                key -> new ArrayList<>())
                        .add(rank)));
        ranks.forEach((why, who) -> line(text, "cannot", why.replace("\0", " on " + named(who))));
    }

    private static void hints(StringBuilder text, List<RankFacts> facts) {
        Map<String, List<Integer>> ranks = new LinkedHashMap<>();
        for (RankFacts rank : facts) {
            rank.process()
                    .visibleDevices()
                    .ifPresent(value -> add(
                            ranks,
                            VisibleDevices.parse(rank.process().visibleDevices())
                                            .explain(rank.device().ordinal()) + " (CUDA_VISIBLE_DEVICES=" + value
                                    + ")",
                            rank));
            Abilities.hints(rank).forEach(hint -> add(ranks, hint, rank));
        }
        ranks.forEach((hint, who) -> line(text, "note", named(who) + ": " + hint));
    }

    private static void add(Map<String, List<Integer>> ranks, String hint, RankFacts rank) {
        ranks.computeIfAbsent(hint, key -> new ArrayList<>()).add(rank.rank());
    }

    private static String named(List<Integer> ranks) {
        return (ranks.size() == 1 ? "rank " : "ranks ")
                + ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** A device by what it is, wherever it is numbered how. */
    static String deviceInWords(RankFacts rank) {
        return rank.device().identity().name() + " " + rank.deviceUuid() + " at "
                + rank.device().identity().pciBusId() + ", "
                + rank.device().identity().totalBytes() / GIB + " GiB, sm_"
                + rank.device().computeCapability();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format(LINE, name, value));
    }
}
