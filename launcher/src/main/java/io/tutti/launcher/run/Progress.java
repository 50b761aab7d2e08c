package io.tutti.launcher.run;

/** Told often how far a run is, from the run's thread; decides itself what is worth showing. */
@FunctionalInterface
public interface Progress {

    /** Shows nothing. */
    Progress SILENT = (what, done, total) -> {};

    /**
     * @param what the work under way, such as {@code tp0: operations}
     * @param done how much of it is done
     * @param total how much there is
     */
    void at(String what, long done, long total);
}
