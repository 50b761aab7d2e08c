package io.tutti.gpu.driver;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Every call that the runtime makes with every answer that it can give but success, and what that means there: one table a
 * kind of call, after NVIDIA's driver manual and what was seen on machines.
 */
final class CallAnswers {

    private static final Map<String, Map<CuResult, Explanation>> ALL = all();

    private CallAnswers() {}

    private static Map<String, Map<CuResult, Explanation>> all() {
        Map<String, Map<CuResult, Explanation>> all = new LinkedHashMap<>();
        DeviceAnswers.add(all);
        MemoryAnswers.add(all);
        SharingAnswers.add(all);
        MulticastAnswers.add(all);
        StreamAnswers.add(all);
        KernelAnswers.add(all);
        return Collections.unmodifiableMap(all);
    }

    /** The calls and, by answer, what each means there. */
    static Map<String, Map<CuResult, Explanation>> table() {
        return ALL;
    }

    /** What a call can answer; empty for one that the runtime does not make. */
    static Map<CuResult, Explanation> of(String call) {
        return ALL.getOrDefault(call, Map.of());
    }
}
