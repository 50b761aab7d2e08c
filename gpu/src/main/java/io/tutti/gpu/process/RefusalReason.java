package io.tutti.gpu.process;

import java.util.Optional;

/** Why a local-socket service turns a connection away; the code travels in the refusal. */
public enum RefusalReason {
    OTHER_USER(1, "it belongs to another user"),
    SILENT(2, "it said nothing, or only half a header, until the deadline"),
    HALF_HEADER(3, "it closed before its header was complete"),
    GARBAGE(4, "it sent something that is no header"),
    OTHER_VERSION(5, "it speaks another version of the header"),
    CROWDED_OUT(6, "too many connections said nothing yet"),
    NOT_EXPORTED(7, "the memory is not exported, or no longer"),
    STALE(8, "it asks for another communicator, term or epoch"),
    WRONG_RANK(9, "it asks for another rank, or as a rank that the memory is not offered to"),
    WRONG_INDEX(10, "it asks for another index or count of descriptors"),
    WRONG_TICKET(11, "its ticket is wrong"),
    USED_TICKET(12, "its ticket was used before"),
    DESCRIPTOR_CLOSED(13, "the exporter's descriptor is closed"),
    OTHER_PROCESS(14, "it looks for another process"),
    TOO_MANY_LINKS(15, "too many processes are linked"),
    NOT_CONFIRMED(16, "it took the descriptor and never confirmed that it had mapped the memory");

    private final int code;
    private final String text;

    RefusalReason(int code, String text) {
        this.code = code;
        this.text = text;
    }

    int code() {
        return code;
    }

    /** The reason as the end of a sentence about the peer. */
    public String text() {
        return text;
    }

    static Optional<RefusalReason> ofCode(int code) {
        for (RefusalReason reason : values()) {
            if (reason.code == code) {
                return Optional.of(reason);
            }
        }
        return Optional.empty();
    }
}
