package io.tutti.actors.wire;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;

/** A value that has no form on the wire, or bytes that no value of this build has. */
public final class WireFormatException extends TuttiException {

    private static final String ADVICE = "Run the same Tutti version on all processes of the cluster.";

    WireFormatException(String message) {
        super(ErrorInfo.of(ErrorCode.INPUT, message, ADVICE));
    }
}
