package io.tutti.fidelity;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The script: calls that users of the driver get right and wrong, in an order that leaves nothing behind from one to the
 * next. Multicast is only asked about; nothing here creates a multicast object.
 */
final class ProbeScript {

    /** Steps whose pointers a real driver may take for something else than it was given. */
    private static final Set<String> AMBIGUOUS = Set.of(
            "free-virtual",
            "free-reserved",
            "copy-to-wild",
            "copy-from-wild",
            "copy-between-to-wild",
            "copy-between-from-wild",
            "fill-wild",
            "unmap-plain",
            "unreserve-plain",
            "access-plain",
            "ipc-close-own",
            "ipc-close-interior");

    private static final List<Step> STEPS = Stream.of(
                    DeviceSteps.all(),
                    PlainSteps.all(),
                    VirtualSteps.all(),
                    SharingSteps.all(),
                    StreamSteps.all(),
                    GraphSteps.all(),
                    LaunchSteps.all(),
                    PairSteps.all(),
                    LostContextSteps.all())
            .flatMap(List::stream)
            .map(step -> AMBIGUOUS.contains(step.id()) ? step.alone() : step)
            .toList();

    private ProbeScript() {}

    /** All steps. */
    static List<Step> steps() {
        return STEPS;
    }

    /** The steps for a machine with that many devices. */
    static List<Step> steps(int devices) {
        return STEPS.stream().filter(step -> step.devices() <= devices).toList();
    }

    /** @throws IllegalArgumentException when there is no such step */
    static Step step(String id) {
        return STEPS.stream()
                .filter(step -> step.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the script has no such step: step=" + id));
    }
}
