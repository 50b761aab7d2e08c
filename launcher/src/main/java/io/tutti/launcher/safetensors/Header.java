package io.tutti.launcher.safetensors;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A parsed header.
 *
 * @param tensors by name, in the header's order
 * @param metadata the texts under {@code __metadata__}
 */
record Header(Map<String, TensorEntry> tensors, Map<String, String> metadata) {

    /** The format's own name for the entry that is not a tensor. */
    static final String METADATA = "__metadata__";

    Header {
        tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }
}
