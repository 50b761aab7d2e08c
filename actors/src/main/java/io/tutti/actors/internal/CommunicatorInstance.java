package io.tutti.actors.internal;

import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** What tells one communicator from every other, also from one of the same name in another cluster. */
final class CommunicatorInstance {

    private CommunicatorInstance() {}

    /** The same on all members of a cluster. */
    static UUID of(TuttiSettings settings, CommunicatorSettings communicator) {
        String identity = settings.cluster().name() + "/" + communicator.name();
        return UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8));
    }
}
