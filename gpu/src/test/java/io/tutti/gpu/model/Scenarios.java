package io.tutti.gpu.model;

import static io.tutti.gpu.model.Call.narrow;
import static io.tutti.gpu.model.Call.single;
import static io.tutti.gpu.model.Call.twoShot;
import static io.tutti.gpu.model.Call.wide;
import static io.tutti.gpu.model.Scenario.calm;

import java.util.List;
import java.util.stream.Stream;

/** The scenarios that the tests explore. */
final class Scenarios {

    private Scenarios() {}

    /** Small enough to be explored without the reductions for each rule that may be missing. */
    static List<Scenario> tiny() {
        return List.of(
                Scenario.of("2 ranks that call with another algorithm", differing(narrow(1), narrow(1), wide(1))),
                calm("2 ranks, 4 small calls", 2, narrow(1), narrow(1), wide(1), narrow(1)),
                calm("2 ranks, a call in 2 blocks", 2, narrow(2)).grid(2, 1),
                calm("2 ranks, a vector that arrives in parts", 2, narrow(1)).wordsOfAVector(2),
                calm("2 ranks, one aborts", 2, narrow(1)).mayAbort(0));
    }

    /** Small enough to be explored without the reductions. */
    static List<Scenario> small() {
        return List.of(
                calm("2 ranks, calls of one warp", 2, narrow(2), twoShot(1), narrow(1), twoShot(2)),
                calm("2 ranks, large, small, small, large in 2 blocks", 2, narrow(2), narrow(1), twoShot(1), narrow(2))
                        .grid(2, 1),
                calm("2 ranks, idle speaker in a block of 2 warps", 2, single(1), twoShot(2), single(1), wide(1))
                        .grid(1, 2),
                calm("2 ranks, vectors that arrive in parts", 2, narrow(1)).wordsOfAVector(2),
                Scenario.of("2 ranks that call with another size", differing(narrow(1), twoShot(1), twoShot(2))),
                Scenario.of("a rank that does not call", List.of(List.of(narrow(1)), List.<Call>of()))
                        .deadlinesMayPass(),
                calm("2 ranks, either aborts", 2, narrow(1)).mayAbort(0, 1));
    }

    /** All others of an ordinary build, explored with the reductions. */
    static List<Scenario> ordinary() {
        return List.of(
                Scenario.of("another algorithm that moves the same data", differing(narrow(1), narrow(1), wide(1))),
                Scenario.of(
                        "3 ranks, of which one calls with another size",
                        List.of(List.of(narrow(1)), List.of(narrow(1)), List.of(twoShot(1)))),
                calm(
                                "2 ranks, 7 calls of mixed sizes",
                                2,
                                narrow(2),
                                twoShot(3),
                                narrow(1),
                                twoShot(1),
                                wide(3),
                                single(2),
                                narrow(3))
                        .grid(2, 1),
                calm("3 ranks, 5 calls of mixed sizes", 3, narrow(2), twoShot(3), narrow(1), twoShot(2), wide(2))
                        .grid(2, 1),
                calm("3 ranks, 4 calls with an idle speaker", 3, single(1), twoShot(3), single(2), twoShot(1))
                        .grid(1, 2),
                calm("2 ranks, 3 calls, deadlines anywhere", 2, narrow(1), twoShot(2), narrow(1))
                        .deadlinesMayPass(),
                calm("3 ranks, 1 call, deadlines anywhere", 3, twoShot(2)).deadlinesMayPass(),
                calm("2 ranks, 3 calls, either aborts", 2, narrow(1), twoShot(2), narrow(1))
                        .mayAbort(0, 1),
                calm("2 ranks, 2 blocks, either aborts", 2, narrow(2))
                        .grid(2, 1)
                        .mayAbort(0, 1),
                Scenario.of(
                                "3 ranks, one does not call, and only kernels pass on that another's host aborts",
                                List.of(List.of(narrow(1)), List.of(narrow(1)), List.<Call>of()))
                        .abortsByTheHostWordOnly(0),
                calm("3 ranks, one aborts", 3, narrow(1), twoShot(2)).mayAbort(0),
                calm("the next epoch in the same memory, after an old graph", 2, narrow(1), narrow(1))
                        .mayAbort(0)
                        .thenAnotherEpoch(narrow(1), twoShot(2))
                        .withStaleReplay(),
                calm("the next epoch after deadlines", 2, narrow(1), twoShot(2))
                        .deadlinesMayPass()
                        .thenAnotherEpoch(twoShot(2), narrow(1)),
                calm("2 blocks, the next epoch in the same memory, after an old graph", 2, narrow(2))
                        .grid(2, 1)
                        .mayAbort(0)
                        .thenAnotherEpoch(twoShot(2))
                        .withStaleReplay(),
                calm("3 ranks, the next epoch in the same memory", 3, narrow(1))
                        .mayAbort(0)
                        .thenAnotherEpoch(narrow(1)),
                calm("a block of 2 warps, one rank aborts", 2, single(2), twoShot(2))
                        .grid(1, 2)
                        .mayAbort(0),
                calm("a stopped process goes on in the next epoch", 2, narrow(1), narrow(1))
                        .mayAbort(0)
                        .mayStop(1)
                        .thenAnotherEpoch(narrow(1)));
    }

    /** All scenarios of an ordinary build. */
    static List<Scenario> all() {
        return Stream.of(tiny(), small(), ordinary()).flatMap(List::stream).toList();
    }

    /** Larger bounds, for nightly builds. */
    static List<Scenario> nightly() {
        return List.of(
                calm(
                                "2 ranks, 7 calls in 3 blocks",
                                2,
                                narrow(3),
                                twoShot(2),
                                narrow(1),
                                twoShot(3),
                                wide(2),
                                narrow(1),
                                twoShot(3))
                        .grid(3, 1),
                calm(
                                "3 ranks, 7 calls in 2 blocks",
                                3,
                                narrow(2),
                                twoShot(3),
                                narrow(1),
                                twoShot(2),
                                wide(2),
                                narrow(1),
                                twoShot(3))
                        .grid(2, 1),
                calm("2 ranks, 5 calls, either aborts", 2, narrow(1), twoShot(2), narrow(1), twoShot(1), narrow(2))
                        .mayAbort(0, 1),
                calm("2 ranks, 2 blocks, 2 calls, either aborts", 2, narrow(2), twoShot(2))
                        .grid(2, 1)
                        .mayAbort(0, 1),
                calm("3 ranks, 2 calls, any aborts", 3, narrow(1), twoShot(2)).mayAbort(0, 1, 2),
                calm("3 ranks, 2 calls, deadlines anywhere", 3, narrow(1), twoShot(2))
                        .deadlinesMayPass(),
                calm("2 ranks, 2 blocks, deadlines anywhere", 2, narrow(2), narrow(1))
                        .grid(2, 1)
                        .deadlinesMayPass(),
                calm("3 ranks, the next epoch of another algorithm", 3, twoShot(2))
                        .mayAbort(0)
                        .thenAnotherEpoch(narrow(2)),
                calm("a stopped process, 2 calls in each epoch", 2, narrow(1), twoShot(2))
                        .mayAbort(0)
                        .mayStop(1)
                        .thenAnotherEpoch(narrow(1), twoShot(2)),
                calm("3 ranks, a stopped process", 3, narrow(1))
                        .mayAbort(0)
                        .mayStop(2)
                        .thenAnotherEpoch(narrow(1)));
    }

    private static List<List<Call>> differing(Call first, Call of0, Call of1) {
        return List.of(List.of(first, of0), List.of(first, of1));
    }
}
