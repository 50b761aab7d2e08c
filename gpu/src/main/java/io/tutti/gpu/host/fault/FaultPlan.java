package io.tutti.gpu.host.fault;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * All rules of a run and how often each was used. The driver asks at the top of each call; of several rules that apply,
 * the first with uses left answers. Thread-safe.
 */
public final class FaultPlan {

    private record Use(FaultRule rule, int position, int rank) {}

    private final List<FaultRule> rules;
    private final FaultRule[][] byCall;
    private final Map<Use, AtomicInteger> uses = new ConcurrentHashMap<>();

    private FaultPlan(List<FaultRule> rules) {
        this.rules = List.copyOf(rules);
        this.byCall = Arrays.stream(DriverCall.values())
                .map(call ->
                        this.rules.stream().filter(rule -> rule.call() == call).toArray(FaultRule[]::new))
                .toArray(FaultRule[][]::new);
    }

    /** A plan of its own each time, without a rule. */
    public static FaultPlan none() {
        return new FaultPlan(List.of());
    }

    public static FaultPlan of(FaultRule... rules) {
        return new FaultPlan(List.of(rules));
    }

    /**
     * Reads the rules' text form.
     *
     * @throws io.tutti.gpu.TuttiException with {@link io.tutti.gpu.ErrorCode#USAGE} for the first rule that is not valid
     */
    public static FaultPlan parse(List<String> rules) {
        return new FaultPlan(rules.stream().map(FaultRuleParser::parse).toList());
    }

    public List<FaultRule> rules() {
        return rules;
    }

    /**
     * The rule that this call has to answer with, and counts the use; null for none.
     *
     * @param rank the acting rank, or −1 where no rank acts, for which only rules without a rank apply
     */
    public @Nullable FaultRule consult(DriverCall call, int rank) {
        FaultRule[] candidates = byCall[call.ordinal()];
        for (int i = 0; i < candidates.length; i++) {
            FaultRule rule = candidates[i];
            if (rule.appliesTo(rank) && use(rule, i, rank)) {
                return rule;
            }
        }
        return null;
    }

    private boolean use(FaultRule rule, int position, int rank) {
        AtomicInteger count = uses.computeIfAbsent(new Use(rule, position, rank), key -> new AtomicInteger());
        return rule.times().isEmpty() || count.getAndIncrement() < rule.times().getAsInt();
    }
}
