package io.tutti.actors.wire;

/** What a coordinator takes from other actors. */
public sealed interface CoordinatorInbox extends WireMessage permits ToCoordinator, ProcessExited {}
