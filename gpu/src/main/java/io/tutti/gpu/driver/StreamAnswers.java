package io.tutti.gpu.driver;

import static io.tutti.gpu.driver.CuResult.*;

import java.util.Map;

/** Streams, events and captures. */
final class StreamAnswers {

    private static final String AGAIN =
            "End the capture and capture again; the error before this one says what spoilt it.";

    private StreamAnswers() {}

    static void add(Map<String, Map<CuResult, Explanation>> table) {
        streams(table);
        events(table);
        captures(table);
    }

    private static CallEntry ofStream(Map<String, Map<CuResult, Explanation>> table, String name, String purpose) {
        return CallEntry.of(table, name, purpose)
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_HANDLE,
                        "The stream was destroyed, or is none, when the driver was to " + purpose + ".",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "An argument is outside what is allowed when the driver is to " + purpose + ".",
                        CallEntry.REPORT);
    }

    private static void streams(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuStreamCreate", "make a stream")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE, "The new stream's flags are unknown to the driver.", CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The device or the host has no room for one more stream.",
                        "Close communicators or streams that are not used any more.");
        ofStream(table, "cuStreamDestroy", "destroy a stream");
        ofStream(table, "cuStreamQuery", "say whether a stream's work is done")
                .answers(
                        CUDA_ERROR_NOT_READY,
                        "The stream still has work; this is an answer, not a failure.",
                        "Nothing to do; the runtime asks again.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                        "A stream that is being captured cannot be asked whether its work is done.",
                        "Ask another stream, or end the capture first.");
        ofStream(table, "cuStreamSynchronize", "wait for a stream's work")
                .answers(
                        CUDA_ERROR_NOT_READY,
                        "The stream still has work; the runtime waits by asking.",
                        "Nothing to do; the runtime asks again until its deadline.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                        "A stream that is being captured cannot be waited for, since nothing of it runs yet.",
                        "Wait after the graph was launched.");
        ofStream(table, "cuStreamIsCapturing", "say whether a stream is being captured")
                .answers(
                        CUDA_ERROR_INVALID_HANDLE,
                        "The stream was destroyed, or the number is none of a stream.",
                        "Pass a stream that is alive and of the rank's device.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                        "The legacy default stream was asked about while another stream is being captured.",
                        "Pass a stream of one's own, made without blocking on the default stream.");
        ofStream(table, "cuStreamWaitEvent", "let a stream wait for an event")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                        "The event is none of the capture that the stream takes part in.",
                        "Record the event in the same capture before it is waited for.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
                        "A captured stream would come to depend on work outside of its capture.",
                        "Record the event inside the capture, or wait before the capture begins.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_MERGE,
                        "The event's capture is another one than the stream's, and the two would become one.",
                        "Capture one sequence after the other.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                        "The capture was spoilt before the stream was to wait in it.",
                        AGAIN);
    }

    private static void events(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuEventCreate", "make an event")
                .inContext()
                .answers(CUDA_ERROR_INVALID_VALUE, "The new event's flags are unknown to the driver.", CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The device or the host has no room for one more event.",
                        "Close communicators that are not used any more.");
        ofEvent(table, "cuEventDestroy", "destroy an event");
        ofEvent(table, "cuEventRecord", "record an event on a stream")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                        "The stream's capture was spoilt before the event was to be recorded in it.",
                        AGAIN);
        ofEvent(table, "cuEventQuery", "say whether an event was reached")
                .answers(
                        CUDA_ERROR_NOT_READY,
                        "The event was not reached yet; this is an answer, not a failure.",
                        "Nothing to do; ask again.")
                .answers(
                        CUDA_ERROR_CAPTURED_EVENT,
                        "The event was recorded in a capture, where it is never reached.",
                        "Ask for an event that was recorded outside of the capture.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                        "An event of a capture cannot be asked for while the capture goes on.",
                        "Ask for an event that was recorded outside of the capture.");
        ofEvent(table, "cuEventElapsedTime", "tell the time between two events")
                .answers(
                        CUDA_ERROR_NOT_READY,
                        "One of the two events was not reached yet.",
                        "Wait for the second event first.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                        "One of the two events was recorded in a capture, where no time passes.",
                        "Record both events outside of captures.");
    }

    private static CallEntry ofEvent(Map<String, Map<CuResult, Explanation>> table, String name, String purpose) {
        return CallEntry.of(table, name, purpose)
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_HANDLE,
                        "The event was destroyed, was never recorded, or is of another context than its stream when the driver"
                                + " was to " + purpose + ".",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "An argument is outside what is allowed when the driver is to " + purpose + ".",
                        CallEntry.REPORT);
    }

    private static void captures(Map<String, Map<CuResult, Explanation>> table) {
        ofStream(table, "cuStreamBeginCapture", "begin a capture")
                .answers(
                        CUDA_ERROR_ILLEGAL_STATE,
                        "The stream is being captured already, or is the legacy default stream.",
                        "End the first capture; capture on a stream of one's own.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                        "The legacy default stream cannot be captured.",
                        "Capture on a stream of one's own.");
        ofStream(table, "cuStreamEndCapture", "end a capture")
                .answers(
                        CUDA_ERROR_ILLEGAL_STATE,
                        "The stream is not being captured.",
                        "Begin a capture first; report it when the runtime made the call.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                        "Something that a capture forbids was called during it, and its graph is worthless.",
                        "Leave that call out, and capture again.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_UNMATCHED,
                        "The capture that is to end was begun on another stream, which this one only joined.",
                        "End it on the stream where it began.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
                        "A stream that was forked off the capture was not joined to it before its end.",
                        "Let the first stream wait for an event of the forked one before the capture ends.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
                        "The capture that is to end was begun by another thread, in a mode that ties it to that one.",
                        "End it on that thread, or capture in mode RELAXED.");
    }
}
