package io.tutti.gpu.plan;

/** How a device answered the multicast queries. */
public sealed interface MulticastAnswer {

    /**
     * The queries succeeded, which promises nothing yet.
     *
     * @param granularity in bytes
     */
    record Granularity(long granularity) implements MulticastAnswer {}

    /**
     * The device or driver refused; one rejected path with a reason, never a failure of the communicator.
     *
     * @param call the driver call that refused
     * @param result the driver's result name
     * @param advice what to do about it
     */
    record Refused(String call, String result, String advice) implements MulticastAnswer {}
}
