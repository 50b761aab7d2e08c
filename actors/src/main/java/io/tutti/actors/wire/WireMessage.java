package io.tutti.actors.wire;

/** What actors of different processes send each other; {@link TuttiSerializer} is bound to this type. */
public sealed interface WireMessage permits CoordinatorInbox, ToRank {

    /** The communicator's name. */
    String communicator();

    /** The UUID of this instance of the communicator; a message for another instance is stale. */
    String instance();

    /** The class of what is inside, for reports. */
    String kind();
}
