package io.tutti.actors.protocol;

import java.util.Objects;

/**
 * One life of a rank: a rank that restarts is another incarnation, and nothing addressed to the old one is for it.
 *
 * @param rank the rank, from 0
 * @param id unique for every start of the rank's actor
 * @param processId the process it lives in, as in its facts
 */
public record Incarnation(int rank, String id, String processId) {

    public Incarnation {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(processId, "processId");
    }
}
