package io.tutti.gpu.host;

import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.posix.NameLock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The multicast objects that the switches of one fabric can serve at once. All processes of this machine that emulate a
 * topology of that name share them, as all on a real fabric do, and a process that is killed gives its own back.
 */
final class MulticastSlots {

    private final String prefix;
    private final int slots;

    MulticastSlots(HostProcess process) {
        this.slots = process.hostFacts().multicast().slots();
        this.prefix =
                "tutti-multicast-" + UUID.nameUUIDFromBytes(fabric(process).getBytes(StandardCharsets.UTF_8));
    }

    private static String fabric(HostProcess process) {
        int first = 0;
        while (!process.topology().sharesSwitches(process.host(), first)) {
            first++;
        }
        return System.getProperty("user.name") + " " + process.topology().name() + " " + first;
    }

    NameLock take(String call) {
        try {
            for (int slot = 0; slot < slots; slot++) {
                NameLock taken = NameLock.tryTake(prefix + "-" + slot);
                if (taken != null) {
                    return taken;
                }
            }
        } catch (IOException e) {
            throw new DriverException(call, CuResult.CUDA_ERROR_OPERATING_SYSTEM, String.valueOf(e.getMessage()));
        }
        throw new DriverException(call, CuResult.CUDA_ERROR_OUT_OF_MEMORY, "multicastSlots=" + slots + " free=0");
    }
}
