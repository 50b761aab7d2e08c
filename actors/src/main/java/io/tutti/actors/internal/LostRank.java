package io.tutti.actors.internal;

import io.tutti.actors.protocol.Incarnation;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;

/** What is said of a rank that is gone, by whoever noticed. */
final class LostRank {

    private LostRank() {}

    static ErrorInfo contactLost(Incarnation rank) {
        return of(
                rank.rank(),
                "contact with rank " + rank.rank() + " was lost: process=" + rank.processId(),
                "Look at that process's log; the communicator waits for the rank to come back.");
    }

    static ErrorInfo processEnded(Incarnation rank, String how) {
        return of(
                rank.rank(),
                "the process of rank " + rank.rank() + " ended: process=" + rank.processId() + " how=" + how,
                "Look at that process's log; start it again for the rank to come back.");
    }

    static ErrorInfo linkBroken(int rank, String processId) {
        return of(
                rank,
                "the process of rank " + rank + " died: process=" + processId,
                "Look at that process's log; the communicator waits for the rank to come back.");
    }

    private static ErrorInfo of(int rank, String message, String advice) {
        return new ErrorInfo(ErrorCode.REMOTE, rank, null, null, message, advice);
    }
}
