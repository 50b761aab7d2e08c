package io.tutti.actors.internal;

import io.tutti.actors.protocol.coordinator.CoordinatorNotice;
import io.tutti.actors.wire.ToCoordinator;
import io.tutti.gpu.plan.EpochPlan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One log line for each change in a communicator's life, its name first. */
final class CoordinatorLog {

    private static final Logger LOG = LoggerFactory.getLogger("io.tutti.coordinator");

    private final String communicator;

    CoordinatorLog(String communicator) {
        this.communicator = communicator;
    }

    void notice(CoordinatorNotice notice) {
        if (notice instanceof CoordinatorNotice.Leading leading) {
            LOG.debug("{}: leading, term={}", communicator, leading.term().counter());
        } else if (notice instanceof CoordinatorNotice.RankJoined joined) {
            LOG.debug(
                    "{}: rank {} joined, process={}",
                    communicator,
                    joined.rank().rank(),
                    joined.rank().processId());
        } else if (notice instanceof CoordinatorNotice.RankDropped dropped) {
            LOG.warn(
                    "{}: rank {} dropped: {}",
                    communicator,
                    dropped.rank().rank(),
                    dropped.cause().describe());
        } else if (notice instanceof CoordinatorNotice.StageStarted stage) {
            LOG.debug(
                    "{}: {} stage {}",
                    communicator,
                    stage.epoch(),
                    stage.stage().wireName());
        } else if (notice instanceof CoordinatorNotice.EpochCommitted committed) {
            EpochPlan plan = committed.plan();
            LOG.info(
                    "{}: {} committed, path={} handleKinds={}",
                    communicator,
                    committed.epoch(),
                    plan.path().wireName(),
                    plan.handleKinds());
        } else if (notice instanceof CoordinatorNotice.EpochEnded ended) {
            LOG.info(
                    "{}: {} ended, abandonedRanks={}: {}",
                    communicator,
                    ended.epoch(),
                    ended.abandonedRanks(),
                    ended.cause().describe());
        } else if (notice instanceof CoordinatorNotice.Retrying retrying) {
            LOG.info(
                    "{}: another epoch in {} ms", communicator, retrying.delay().toMillis());
        } else if (notice instanceof CoordinatorNotice.NotTriedAgain again) {
            again.refusals().forEach(refusal -> LOG.info("{}: not tried again: {}", communicator, refusal.describe()));
        } else if (notice instanceof CoordinatorNotice.RefusalsForgotten forgotten) {
            LOG.info(
                    "{}: {} refusals are forgotten and will be tried again: {}",
                    communicator,
                    forgotten.refusals().size(),
                    forgotten.why());
        } else if (notice instanceof CoordinatorNotice.Failed failed) {
            LOG.error("{}: failed: {}", communicator, failed.cause().describe());
        } else if (notice instanceof CoordinatorNotice.Closed closed) {
            LOG.info("{}: closed: {}", communicator, closed.cause().message());
        } else if (notice instanceof CoordinatorNotice.SteppedBack back) {
            LOG.warn(
                    "{}: another coordinator has claimed, term={}; waiting whether ranks still turn here",
                    communicator,
                    back.by().counter());
        } else if (notice instanceof CoordinatorNotice.Superseded superseded) {
            LOG.warn(
                    "{}: another coordinator leads, term={}",
                    communicator,
                    superseded.by().counter());
        }
    }

    void stranger(ToCoordinator envelope) {
        LOG.warn(
                "{}: message of another communicator ignored: communicator={} instance={} rank={}",
                communicator,
                envelope.communicator(),
                envelope.instance(),
                envelope.message().from().rank());
    }
}
