package io.tutti.gpu.plan;

/** Where two ranks are relative to each other; a handle kind is agreed for each class that occurs. */
public enum PairClass {
    SAME_PROCESS,
    SAME_HOST,
    OTHER_HOST;

    /** For people, after "which are". */
    String inWords() {
        return switch (this) {
            case SAME_PROCESS -> "in one process";
            case SAME_HOST -> "in two processes of one host";
            case OTHER_HOST -> "on two hosts";
        };
    }

    /** The class of a pair of ranks, from where they really are. */
    public static PairClass of(RankFacts one, RankFacts other) {
        if (!one.hostId().equals(other.hostId())) {
            return OTHER_HOST;
        }
        return one.processId().equals(other.processId()) ? SAME_PROCESS : SAME_HOST;
    }
}
