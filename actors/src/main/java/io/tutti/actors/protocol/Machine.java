package io.tutti.actors.protocol;

/**
 * A protocol core: a pure function of state and event. It reads no clock, does no I/O and keeps nothing between calls,
 * so equal inputs give equal outputs and one instance may serve any number of threads.
 *
 * @param <S> the state, a value
 * @param <E> what happens
 * @param <C> what the shell does about it
 */
public interface Machine<S, E, C> {

    /** The initial state and the commands that start it. */
    Transition<S, C> start();

    /** What the event leads to. An event that means nothing in this state leads to the same state and no commands. */
    Transition<S, C> on(S state, E event);
}
