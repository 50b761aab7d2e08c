package io.tutti.launcher.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into this module. */
final class Version implements IVersionProvider {

    private static final String RESOURCE = "version.txt";

    @Override
    public String[] getVersion() {
        return new String[] {"tutti " + read(), "java " + System.getProperty("java.version")};
    }

    private static String read() {
        try (InputStream text = Version.class.getResourceAsStream(RESOURCE)) {
            return text == null ? "unknown" : new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
