package io.tutti.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one configuration file that a user named. */
final class ConfigFile {

    private static final long MAX_BYTES = 16L << 20;

    private ConfigFile() {}

    /** The file's content, with its includes, not resolved. */
    static Config read(Path file) {
        if (!Files.exists(file)) {
            throw failure(file.toString(), MissingFile.why(file), "name an existing file", null);
        }
        if (!Files.isRegularFile(file)) {
            throw failure(file.toString(), "is not a regular file", "name a file in HOCON format", null);
        }
        requireUtf8(file);
        Config config;
        try {
            config = ConfigFactory.parseFile(
                    file.toFile(),
                    ConfigParseOptions.defaults().setAllowMissing(false).setIncluder(new StrictIncluder(file)));
        } catch (ConfigException e) {
            throw ConfigFailures.asMistake(e);
        } catch (StackOverflowError e) {
            throw failure(file.toString(), "is nested too deeply", "use fewer levels of lists and objects", e);
        }
        refuseMisplacedKeys(config);
        return config;
    }

    private static void requireUtf8(Path file) {
        byte[] bytes;
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw failure(
                        file.toString(),
                        "is too large for a configuration: bytes=" + Files.size(file),
                        "allowed: at most 16 MiB",
                        null);
            }
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw failure(
                    file.toString(),
                    "cannot be read (" + e.getClass().getSimpleName() + ")",
                    "check that this user may read it",
                    e);
        }
        String mark = byteOrderMark(bytes);
        if (!mark.isEmpty()) {
            throw failure(
                    file + ":1", "begins with a byte order mark (" + mark + ")", "save it as UTF-8 without one", null);
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer input = ByteBuffer.wrap(bytes);
        CoderResult result = decoder.decode(input, CharBuffer.allocate(bytes.length + 1), true);
        if (result.isError()) {
            throw failure(file + ":" + line(bytes, input.position()), "is not UTF-8 text", "save it as UTF-8", null);
        }
    }

    private static String byteOrderMark(byte[] bytes) {
        if (startsWith(bytes, 0xEF, 0xBB, 0xBF)) {
            return "UTF-8";
        }
        return startsWith(bytes, 0xFE, 0xFF) || startsWith(bytes, 0xFF, 0xFE) ? "UTF-16" : "";
    }

    private static boolean startsWith(byte[] bytes, int... prefix) {
        for (int i = 0; i < prefix.length; i++) {
            if (i >= bytes.length || (bytes[i] & 0xFF) != prefix[i]) {
                return false;
            }
        }
        return true;
    }

    private static int line(byte[] bytes, int position) {
        int line = 1;
        for (int i = 0; i < position; i++) {
            if (bytes[i] == '\n') {
                line++;
            }
        }
        return line;
    }

    /** A setting outside of the object {@code tutti} would be ignored without a word. */
    private static void refuseMisplacedKeys(Config config) {
        Set<String> settings = ConfigFactory.defaultReference(ConfigFile.class.getClassLoader())
                .getObject(Keys.ROOT)
                .keySet();
        List<ConfigMistake> mistakes = new ArrayList<>();
        for (var entry : config.root().entrySet()) {
            String key = entry.getKey();
            ConfigValue value = Section.innermost(entry.getValue());
            String meant = null;
            if (settings.contains(key)) {
                meant = Keys.ROOT + "." + key;
            } else if (!key.equals(Keys.ROOT) && NearestName.distance(key, Keys.ROOT) <= 2) {
                meant = Keys.ROOT;
            }
            if (meant != null) {
                mistakes.add(new ConfigMistake(
                        Origins.describe(value.origin()), key, "is no setting", "did you mean " + meant + "?"));
            }
        }
        if (!mistakes.isEmpty()) {
            throw new ConfigurationException(mistakes);
        }
    }

    private static ConfigurationException failure(
            String where, String found, String remedy, @Nullable Throwable cause) {
        return ConfigurationException.of(new ConfigMistake(where, "", found, remedy), cause);
    }
}
