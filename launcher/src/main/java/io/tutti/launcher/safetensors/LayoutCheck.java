package io.tutti.launcher.safetensors;

import java.util.Comparator;
import java.util.List;

/**
 * Checks that the tensors of a file tile its data exactly: in order of their offsets, each begins where the one before it
 * ended, the first at 0 and the last at the end of the file, each aligned to its element.
 */
final class LayoutCheck {

    private LayoutCheck() {}

    /** @param dataBytes bytes in the file after the header */
    static void check(Header header, long dataBytes, FileText file) {
        List<TensorEntry> inOrder = header.tensors().values().stream()
                .sorted(Comparator.comparingLong(TensorEntry::begin).thenComparingLong(TensorEntry::end))
                .toList();
        long covered = 0;
        for (TensorEntry tensor : inOrder) {
            checkOne(tensor, covered, dataBytes, file);
            covered = tensor.end();
        }
        if (covered != dataBytes) {
            throw file.malformed(
                    "the file has bytes that belong to no tensor",
                    "dataBytes=" + dataBytes + " covered=" + covered,
                    "Write the file again; nothing may follow the last tensor.");
        }
    }

    private static void checkOne(TensorEntry tensor, long covered, long dataBytes, FileText file) {
        String offsets = "data_offsets=[" + tensor.begin() + ", " + tensor.end() + "]";
        if (tensor.end() > dataBytes) {
            throw file.malformed(
                    "a tensor ends after the end of the file",
                    "tensor=" + FileText.quote(tensor.name()) + " " + offsets + " dataBytes=" + dataBytes,
                    "The file was probably cut off; copy it again.");
        }
        if (tensor.begin() % tensor.type().bytes() != 0) {
            throw file.tensor(
                    tensor.name(),
                    "a tensor is not aligned to its elements",
                    offsets + " elementBytes=" + tensor.type().bytes());
        }
        if (tensor.begin() < covered) {
            throw file.tensor(tensor.name(), "a tensor overlaps another", offsets + " previousEnd=" + covered);
        }
        if (tensor.begin() > covered) {
            throw file.tensor(tensor.name(), "a hole lies before a tensor", offsets + " previousEnd=" + covered);
        }
    }
}
