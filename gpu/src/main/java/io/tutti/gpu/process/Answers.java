package io.tutti.gpu.process;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Reading what a service answered. */
final class Answers {

    /** The peer's service answered with a refusal. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    private Answers() {}

    static Frame read(ByteBuffer bytes) throws IOException {
        Frame answer;
        try {
            answer = Frame.decode(bytes);
        } catch (Frame.Malformed e) {
            throw new RefusedException("the answer is no header: " + e.getMessage());
        }
        if (answer.kind() == Frame.Kind.REFUSED) {
            throw new RefusedException("the peer refused: "
                    + RefusalReason.ofCode(answer.reason())
                            .map(reason -> reason.text() + " (" + reason + ")")
                            .orElse("reason=" + answer.reason()));
        }
        return answer;
    }
}
