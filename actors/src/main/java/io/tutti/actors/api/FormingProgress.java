package io.tutti.actors.api;

/**
 * How far a communicator is on its way to an epoch, as seen from one process.
 *
 * @param stage what is being done, for people; a stage of forming by its name in settings
 * @param done ranks of this process that are done with it
 * @param ranks ranks of this process
 */
public record FormingProgress(String stage, int done, int ranks) {}
