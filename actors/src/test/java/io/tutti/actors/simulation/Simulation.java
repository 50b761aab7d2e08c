package io.tutti.actors.simulation;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.coordinator.CoordinatorConfig;
import io.tutti.actors.protocol.coordinator.CoordinatorEvent;
import io.tutti.actors.protocol.coordinator.CoordinatorLimits;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase;
import io.tutti.actors.protocol.coordinator.CoordinatorTiming;
import io.tutti.actors.protocol.rank.RankCommand;
import io.tutti.actors.protocol.rank.RankConfig;
import io.tutti.actors.protocol.rank.RankEvent;
import io.tutti.actors.protocol.rank.RankPhase;
import io.tutti.actors.protocol.rank.RankTiming;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.plan.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One schedule: everything that happens follows from its seed. Faults end at {@link Scenario#FAULTS_END}; from then on
 * the communicator has to commit or to fail within {@link #PATIENCE}, and then to close without leaving anything.
 */
final class Simulation {

    static final int VERSION = 1;

    /** How long after the last fault the end may take, in microseconds. */
    static final long PATIENCE = 40_000_000;

    private static final int MOST_STEPS = 400_000;

    final VirtualTime time = new VirtualTime();
    final SplittableRandom random;
    final Scenario scenario;
    final Promises promises;
    final Calls calls;
    final Users users;

    private final Cores cores;
    private final Network network;
    private final @Nullable Consumer<String> log;
    private final List<SimRank> ranks = new ArrayList<>();
    private final List<SimCoordinator> coordinators = new ArrayList<>();
    private final List<SimCoordinator> listensTo = new ArrayList<>();
    private final Map<Incarnation, SimRank> everyLife = new LinkedHashMap<>();
    private final int[] lives;
    private boolean diedAtStage;
    private boolean movedAtStage;
    private long steps;

    Simulation(long seed, Cores cores, @Nullable Consumer<String> log) {
        this.random = new SplittableRandom(seed);
        this.scenario = Scenario.draw(random);
        this.cores = cores;
        this.log = log;
        this.promises = new Promises(scenario.worldSize());
        this.calls = new Calls(time, random, scenario.worldSize());
        this.users = new Users(scenario, time);
        this.network = new Network(time, random, scenario.lossy(), scenario.longestDelay());
        this.lives = new int[scenario.worldSize()];
        note("scenario", scenario);
    }

    /** Runs to the end and returns the number of steps; throws {@link BrokenPromise}. */
    long run() {
        coordinators.add(newCoordinator());
        for (int rank = 0; rank < scenario.worldSize(); rank++) {
            listensTo.add(coordinator());
            ranks.add(newLife(rank));
        }
        coordinator().start();
        ranks.forEach(rank -> time.after(random.nextInt(50_000), rank::start));
        planFaults();
        until(Scenario.FAULTS_END + PATIENCE, "settle", () -> time.now() > Scenario.FAULTS_END && settled());
        close();
        return steps;
    }

    private void close() {
        if (coordinator().phase() instanceof CoordinatorPhase.Running running) {
            List<SimRank> inService = inService(running.epoch());
            Promises.check(users.satisfied(), "the users' calls did not all end");
            long now = time.now();
            switch (scenario.close()) {
                case ALL_LEAVE -> inService.forEach(rank -> time.after(random.nextInt(100_000), () -> leave(rank)));
                case ONE_LEAVES -> leave(inService.get(random.nextInt(inService.size())));
                case NONE_LEAVES ->
                    coordinator()
                            .feed(new CoordinatorEvent.CloseRequested(ErrorInfo.of(ErrorCode.CLOSED, "closed", "")));
            }
            until(now + PATIENCE, "close", this::over);
        }
        everyLife.values().stream().filter(SimRank::alive).forEach(promises::finished);
    }

    private static void leave(SimRank rank) {
        rank.feed(new RankEvent.LeaveRequested());
    }

    private void until(long deadline, String what, BooleanSupplier reached) {
        while (!reached.getAsBoolean()) {
            if (time.now() > deadline || steps > MOST_STEPS || !time.step()) {
                throw new BrokenPromise("did not " + what + " in time: coordinator "
                        + coordinator().phase() + ", ranks "
                        + everyLife.values().stream()
                                .filter(SimRank::alive)
                                .map(SimRank::describe)
                                .toList());
            }
            steps++;
        }
    }

    /** Either all ranks are in one committed epoch and the users have what they want, or all is over. */
    private boolean settled() {
        if (coordinator().phase() instanceof CoordinatorPhase.Running running) {
            List<SimRank> inService = inService(running.epoch());
            return users.satisfied()
                    && inService.size() == scenario.worldSize()
                    && everyLife.values().stream()
                            .allMatch(life -> !life.alive() || life.finished() || inService.contains(life));
        }
        return over();
    }

    /** The lives that are in the epoch: of a process and the one that took its place, whichever the coordinator has. */
    private List<SimRank> inService(EpochId epoch) {
        return everyLife.values().stream()
                .filter(life -> life.alive()
                        && life.phase() instanceof RankPhase.Running inside
                        && inside.epoch().equals(epoch))
                .toList();
    }

    private boolean over() {
        return coordinator().ended() && everyLife.values().stream().allMatch(life -> !life.alive() || life.finished());
    }

    // Who there is.

    private SimCoordinator coordinator() {
        return coordinators.get(coordinators.size() - 1);
    }

    boolean isLatest(SimRank life) {
        return ranks.get(life.rank()) == life;
    }

    private SimCoordinator newCoordinator() {
        String id = "coordinator-" + coordinators.size();
        return new SimCoordinator(
                this,
                id,
                cores.coordinator(new CoordinatorConfig(
                        "sim", id, scenario.worldSize(), VERSION, Policy.standard(), TIMING, LIMITS)));
    }

    private SimRank newLife(int rank) {
        int life = lives[rank]++;
        Incarnation incarnation = new Incarnation(rank, "rank-" + rank + "." + life, "process-" + rank + "." + life);
        SimRank next = new SimRank(
                this,
                incarnation,
                cores.rank(new RankConfig(
                        "sim", incarnation, scenario.worldSize(), VERSION, Policy.standard(), RANK_TIMING)));
        everyLife.put(incarnation, next);
        return next;
    }

    // How messages travel.

    void toCoordinator(SimRank from, CoordinatorMessage message) {
        SimCoordinator to = network.confused() && coordinators.size() > 1 && random.nextBoolean()
                ? coordinators.get(coordinators.size() - 1 - random.nextInt(2))
                : listensTo.get(from.rank());
        network.send(from, to, () -> to.receive(message));
    }

    /** With reordering, what was meant for a former life may reach the present one; its core has to notice. */
    void toRank(SimCoordinator from, RankMessage message) {
        SimRank addressee = Objects.requireNonNull(everyLife.get(message.to()));
        network.send(from, addressee, () -> {
            boolean astray = network.lossy() && (!addressee.alive() || random.nextInt(20) == 0);
            (astray ? ranks.get(addressee.rank()) : addressee).feed(new RankEvent.Received(message));
        });
    }

    // What goes wrong.

    private void planFaults() {
        for (int i = 0; i < scenario.deaths(); i++) {
            at(() -> replace(true));
        }
        for (int i = 0; i < scenario.restarts(); i++) {
            at(() -> replace(false));
        }
        for (int i = 0; i < scenario.stops(); i++) {
            at(this::stop);
        }
        for (int i = 0; i < scenario.twins(); i++) {
            at(this::twin);
        }
        for (int i = 0; i < scenario.moves(); i++) {
            at(this::move);
        }
    }

    /** The coordinator begins a stage: the moment for what the scenario has in store for it. */
    void stageStarted(Stage stage) {
        if (time.now() < Scenario.FAULTS_END && stage == scenario.deathAt() && !diedAtStage) {
            diedAtStage = true;
            time.after(random.nextInt(3_000), () -> replace(true));
        }
        if (time.now() < Scenario.FAULTS_END && stage == scenario.moveAt() && !movedAtStage) {
            movedAtStage = true;
            time.after(random.nextInt(3_000), this::move);
        }
    }

    private void at(Runnable fault) {
        time.at(random.nextLong(Scenario.FAULTS_END), fault);
    }

    private void replace(boolean processDies) {
        int rank = random.nextInt(ranks.size());
        SimRank former = ranks.get(rank);
        if (!former.alive()) {
            return;
        }
        note(former, processDies ? "dies" : "restarts");
        if (processDies) {
            former.die();
            boolean contactFirst = random.nextBoolean();
            if (contactFirst) {
                time.after(random.nextInt(30_000), () -> lost(former, false));
            }
            time.after(30_000 + random.nextInt(60_000), () -> lost(former, true));
        } else {
            former.replaced();
            time.after(random.nextInt(30_000), () -> lost(former, false));
        }
        boolean returns = random.nextInt(8) != 0;
        if (returns) {
            SimRank next = newLife(rank);
            ranks.set(rank, next);
            time.after(random.nextInt(processDies ? 400_000 : 20_000), next::start);
        }
    }

    private void lost(SimRank rank, boolean reaped) {
        ErrorInfo cause = ErrorInfo.of(ErrorCode.REMOTE, "process of " + rank + " is gone", "")
                .onRank(rank.rank());
        List.copyOf(coordinators)
                .forEach(coordinator ->
                        coordinator.feed(new CoordinatorEvent.RankLost(rank.incarnation(), reaped, cause)));
    }

    /** A process that only stopped is taken for dead and replaced; then it continues. */
    private void twin() {
        int rank = random.nextInt(ranks.size());
        SimRank former = ranks.get(rank);
        if (former.alive()) {
            stop(former);
            SimRank next = newLife(rank);
            ranks.set(rank, next);
            time.after(random.nextInt(400_000), next::start);
        }
    }

    private void stop() {
        stop(ranks.get(random.nextInt(ranks.size())));
    }

    private void stop(SimRank rank) {
        note(rank, "stops");
        rank.stop();
        time.after(random.nextInt(2_000_000), () -> {
            note(rank, "carries on");
            rank.carryOn();
        });
    }

    /** Another coordinator starts; the former one dies, or lives on for a while without knowing. */
    private void move() {
        SimCoordinator former = coordinator();
        SimCoordinator next = newCoordinator();
        coordinators.add(next);
        boolean livesOn = random.nextBoolean();
        note(former, livesOn ? "is cut off" : "dies");
        note(next, "starts");
        if (livesOn) {
            network.confuse(random.nextInt(300_000));
        }
        if (livesOn) {
            time.after(random.nextInt(1_000_000), former::die);
        } else {
            former.die();
        }
        long startsAfter = random.nextInt(random.nextBoolean() ? 5_000 : 1_500_000);
        time.after(startsAfter, next::start);
        for (int rank = 0; rank < ranks.size(); rank++) {
            int listener = rank;
            time.after(startsAfter + random.nextInt(livesOn ? 200_000 : 20_000), () -> {
                if (coordinators.indexOf(listensTo.get(listener)) < coordinators.indexOf(next)) {
                    listensTo.set(listener, next);
                }
            });
        }
    }

    // What devices answer.

    StageOutcome outcome(SimRank life, RankCommand.Perform perform) {
        boolean fails = time.now() < Scenario.FAULTS_END && random.nextInt(1000) < scenario.stageFaults();
        if (fails && random.nextBoolean()) {
            return new StageOutcome.Refused(refusal(perform.stage()), kind(perform));
        }
        return switch (perform.stage()) {
            case IDENTITY ->
                new StageOutcome.Facts(
                        SimPlanner.facts(life.rank(), life.incarnation().processId()));
            case EXPORT -> new StageOutcome.Exported(List.of());
            default -> new StageOutcome.Done();
        };
    }

    private ErrorInfo refusal(Stage stage) {
        String result = switch (random.nextInt(3)) {
            case 0 -> "CUDA_ERROR_OUT_OF_MEMORY";
            case 1 -> "CUDA_ERROR_SYSTEM_NOT_READY";
            default -> "CUDA_ERROR_INVALID_HANDLE";
        };
        return new ErrorInfo(ErrorCode.DRIVER, null, stage.wireName(), result, "simulated refusal", "");
    }

    private @Nullable HandleKind kind(RankCommand.Perform perform) {
        Map<?, HandleKind> kinds =
                perform.agreed().map(agreed -> agreed.plan().handleKinds()).orElse(Map.of());
        return perform.stage() == Stage.IMPORT && !kinds.isEmpty()
                ? kinds.values().iterator().next()
                : null;
    }

    long duration(Duration timeout) {
        boolean late = time.now() < Scenario.FAULTS_END && random.nextInt(2000) < scenario.stageFaults();
        return 50 + random.nextInt(3_000) + (late ? timeout.toNanos() / 1000 * 2 : 0);
    }

    void note(Object who, Object event) {
        if (log != null) {
            log.accept(time.now() + " " + who + ": " + event);
        }
    }

    private static final CoordinatorTiming TIMING = new CoordinatorTiming(
            Duration.ofMillis(3000),
            Duration.ofMillis(400),
            Map.of(),
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofMillis(400),
            Duration.ofMillis(80),
            Duration.ofMillis(300),
            Duration.ofMillis(5),
            Duration.ofMillis(200),
            Duration.ofMillis(50));

    private static final CoordinatorLimits LIMITS = new CoordinatorLimits(16, 8, 3, 2, 1 << 20);

    private static final RankTiming RANK_TIMING = new RankTiming(
            Duration.ofMillis(20),
            Duration.ofMillis(300),
            Duration.ofMillis(80),
            Duration.ofMillis(1000),
            Duration.ofMillis(1000));
}
