package io.tutti.launcher.safetensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Puts files together byte by byte, also such that no writer would make. */
final class RawFile {

    private RawFile() {}

    static byte[] bytes(String header, int dataBytes) {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        return bytes(json.length, json, dataBytes);
    }

    static byte[] bytes(long claimedLength, byte[] header, int dataBytes) {
        ByteBuffer file = ByteBuffer.allocate(8 + header.length + dataBytes).order(ByteOrder.LITTLE_ENDIAN);
        file.putLong(claimedLength).put(header);
        for (int i = 0; i < dataBytes; i++) {
            file.put((byte) i);
        }
        return file.array();
    }

    static Path write(Path folder, byte[] content) throws IOException {
        return Files.write(folder.resolve("file.safetensors"), content);
    }
}
