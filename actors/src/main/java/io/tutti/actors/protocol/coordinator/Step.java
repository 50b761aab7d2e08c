package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.RankMessage.EpochEnded;
import io.tutti.actors.protocol.Sorted;
import io.tutti.actors.protocol.Transition;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * One transition while it is being computed: the state so far and the commands so far. It lives for one call of the
 * core and never leaves it.
 */
final class Step {

    /** Retired incarnations that are remembered: one per restart, and only recent ones can still be on their way. */
    private static final int RETIRED_KEPT = 256;

    final CoordinatorConfig config;

    CoordinatorPhase phase;
    History history;
    private SortedMap<Integer, Incarnation> present;
    private List<Incarnation> retired;
    private SortedMap<Integer, Incarnation> promisedBy;
    private SortedSet<Integer> leaving;
    private Term term;
    private boolean led;
    private Term highestTerm;
    private long highestEpoch;
    private Map<Incarnation, EpochEnded> ends;
    private final List<CoordinatorCommand> commands = new ArrayList<>();

    Step(CoordinatorConfig config, CoordinatorState from) {
        this.config = config;
        phase = from.phase();
        history = from.history();
        present = from.present();
        retired = from.retired();
        promisedBy = from.promisedBy();
        leaving = from.leaving();
        term = from.term();
        led = from.led();
        highestTerm = from.highestTerm();
        highestEpoch = from.highestEpoch();
        ends = from.ends();
    }

    Transition<CoordinatorState, CoordinatorCommand> done() {
        return new Transition<>(
                new CoordinatorState(
                        phase,
                        present,
                        retired,
                        promisedBy,
                        leaving,
                        term,
                        led,
                        highestTerm,
                        highestEpoch,
                        history,
                        ends),
                commands);
    }

    // Who is there.

    SortedMap<Integer, Incarnation> present() {
        return present;
    }

    /** Whether this is the incarnation that the coordinator counts on for its rank. */
    boolean counts(Incarnation incarnation) {
        return incarnation.equals(present.get(incarnation.rank()));
    }

    boolean complete() {
        return present.size() == config.worldSize();
    }

    /** Whether the term stands on the promises of exactly those who are present. */
    boolean promised() {
        return promisedBy.equals(present);
    }

    /** The incarnations on whose promises the term stands: the members of every epoch that is formed in it. */
    SortedMap<Integer, Incarnation> members() {
        return promisedBy;
    }

    boolean retired(Incarnation incarnation) {
        return retired.contains(incarnation);
    }

    void join(Incarnation rank) {
        present = Sorted.with(present, rank.rank(), rank);
        publish(new CoordinatorNotice.RankJoined(rank));
    }

    /** Stops counting on the incarnation; it may say hello again. */
    void drop(Incarnation rank, ErrorInfo cause) {
        if (counts(rank)) {
            present = Sorted.without(present, rank.rank());
            publish(new CoordinatorNotice.RankDropped(rank, cause));
        }
    }

    /** Stops counting on the incarnation for ever. */
    void retire(Incarnation rank, ErrorInfo cause) {
        drop(rank, cause);
        if (!retired.contains(rank)) {
            List<Incarnation> more = new ArrayList<>(retired);
            more.add(rank);
            retired = List.copyOf(more.subList(Math.max(0, more.size() - RETIRED_KEPT), more.size()));
        }
    }

    SortedSet<Integer> leaving() {
        return leaving;
    }

    /** Returns false when the rank is known to have left. */
    boolean leave(int rank) {
        if (leaving.contains(rank)) {
            return false;
        }
        leaving = Sorted.with(leaving, rank);
        return true;
    }

    // Terms and epochs.

    Term term() {
        return term;
    }

    boolean led() {
        return led;
    }

    Term highestTerm() {
        return highestTerm;
    }

    void heardOf(Term other) {
        if (other.isAfter(highestTerm)) {
            highestTerm = other;
        }
    }

    /** Takes the next term above every one heard of; it stands on no promise yet. */
    void takeTerm() {
        heardOf(term);
        term = new Term(highestTerm.counter() + 1, config.coordinatorId());
        highestTerm = term;
        promisedBy = Sorted.copy(Map.of());
    }

    /** All who are present have promised the term. */
    void lead() {
        led = true;
        promisedBy = present;
        publish(new CoordinatorNotice.Leading(term));
    }

    /** Somebody else leads: nobody is counted on, and nothing is claimed, until ranks say hello again. */
    void stepBack() {
        led = false;
        promisedBy = Sorted.copy(Map.of());
        present = promisedBy;
        history = history.steppedBack();
    }

    void heardOfEpoch(long epoch) {
        highestEpoch = Math.max(epoch, highestEpoch);
    }

    long nextEpoch() {
        return ++highestEpoch;
    }

    /** Remembers how the epoch ended for a rank, in place of what was remembered for that rank before. */
    void remember(EpochEnded ended) {
        Map<Incarnation, EpochEnded> more = new HashMap<>(ends);
        more.keySet().removeIf(known -> known.rank() == ended.to().rank());
        more.put(ended.to(), ended);
        ends = Map.copyOf(more);
    }

    Map<Incarnation, EpochEnded> ends() {
        return ends;
    }

    // Commands.

    void send(RankMessage message) {
        commands.add(new CoordinatorCommand.Send(message));
    }

    void publish(CoordinatorNotice notice) {
        commands.add(new CoordinatorCommand.Publish(notice));
    }

    void deadline(Duration delay) {
        commands.add(new CoordinatorCommand.StartTimer(CoordinatorTimer.DEADLINE, delay));
    }

    void noDeadline() {
        commands.add(new CoordinatorCommand.CancelTimer(CoordinatorTimer.DEADLINE));
    }

    void resend() {
        commands.add(new CoordinatorCommand.StartTimer(
                CoordinatorTimer.RESEND, config.timing().resend()));
    }

    void noResend() {
        commands.add(new CoordinatorCommand.CancelTimer(CoordinatorTimer.RESEND));
    }
}
