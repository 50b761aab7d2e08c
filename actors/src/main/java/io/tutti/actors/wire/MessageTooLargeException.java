package io.tutti.actors.wire;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;

/** A message that remoting would drop without telling anyone, refused before it is sent. */
public final class MessageTooLargeException extends TuttiException {

    MessageTooLargeException(WireMessage message, int bytes, FrameBound bound) {
        super(ErrorInfo.of(
                ErrorCode.CONFIGURATION,
                "message does not fit into a frame: message=" + message.kind() + " communicator="
                        + message.communicator() + " bytes=" + bytes + " limit=" + bound.bytes() + " "
                        + FrameBound.SETTING + "=" + bound.frameBytes(),
                "Raise " + FrameBound.SETTING + " to at least " + ((long) bytes + FrameBound.HEADROOM_BYTES)
                        + " bytes on every process."));
    }
}
