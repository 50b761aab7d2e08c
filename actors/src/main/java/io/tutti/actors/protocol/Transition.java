package io.tutti.actors.protocol;

import java.util.List;

/**
 * What one event leads to.
 *
 * @param state the next state
 * @param commands what the shell carries out, in this order
 */
public record Transition<S, C>(S state, List<C> commands) {

    public Transition {
        commands = List.copyOf(commands);
    }
}
