package io.tutti.fidelity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What one machine answered.
 *
 * @param topology the emulated machine that has to answer the same
 * @param complete whether every step for a machine of its size is here
 * @param source where the answers come from
 * @param device the devices' name
 * @param devices how many
 * @param driverVersion as {@code cuDriverGetVersion} tells it
 * @param date when
 * @param rows in the script's order
 */
record Recording(
        String topology,
        boolean complete,
        String source,
        String device,
        int devices,
        int driverVersion,
        String date,
        List<Row> rows) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Reads the one of a topology from the resources. */
    static Recording load(String topology) throws IOException {
        String resource = topology + ".json";
        try (InputStream in = Recording.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("no such recording: resource=" + resource);
            }
            return JSON.readValue(in, Recording.class);
        }
    }

    Optional<Row> row(String step) {
        return rows.stream().filter(row -> row.step().equals(step)).findFirst();
    }

    /** JSON with one row on a line, so that two recordings can be compared line by line. */
    String toJson() throws JsonProcessingException {
        String head = JSON.writerWithDefaultPrettyPrinter()
                .writeValueAsString(
                        new Recording(topology, complete, source, device, devices, driverVersion, date, List.of()));
        String lines = rows.stream().map(Recording::line).collect(Collectors.joining(",\n    "));
        return head.replace("\"rows\" : [ ]", "\"rows\" : [\n    " + lines + "\n  ]") + "\n";
    }

    private static String line(Row row) {
        try {
            return JSON.writeValueAsString(row);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a row of text cannot be written: step=" + row.step(), e);
        }
    }
}
