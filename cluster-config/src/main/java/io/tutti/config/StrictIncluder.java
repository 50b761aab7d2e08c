package io.tutti.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigParseable;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes every missing include a mistake; HOCON by itself ignores it unless {@code required(...)} is written. One instance
 * reads one file with its includes; not thread-safe.
 */
final class StrictIncluder implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {

    private final Deque<Path> open;
    private final @Nullable ConfigIncluder next;

    /** For a source that is no file, so that messages name only what is missing. */
    StrictIncluder() {
        this(new ArrayDeque<>(), null);
    }

    StrictIncluder(Path file) {
        this(new ArrayDeque<>(List.of(file)), null);
    }

    private StrictIncluder(Deque<Path> open, @Nullable ConfigIncluder next) {
        this.open = open;
        this.next = next;
    }

    @Override
    public ConfigIncluder withFallback(ConfigIncluder fallback) {
        return new StrictIncluder(open, fallback);
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String what) {
        return opened(context, what, strict -> next().include(strict, what));
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File what) {
        return opened(context, what.toString(), strict -> ((ConfigIncluderFile) next()).includeFile(strict, what));
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
        return opened(context, what.toString(), strict -> ((ConfigIncluderURL) next()).includeURL(strict, what));
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String what) {
        return opened(context, what, strict -> ((ConfigIncluderClasspath) next()).includeResources(strict, what));
    }

    private ConfigObject opened(ConfigIncludeContext context, String what, Inclusion inclusion) {
        ConfigParseable source = context.relativeTo(what);
        String file = source == null ? null : source.origin().filename();
        String place = place(what);
        if (file != null && isOpen(Path.of(file))) {
            throw mistake(place, what, "which is being read already", null);
        }
        if (file != null) {
            open.push(Path.of(file));
        }
        try {
            return inclusion.include(new StrictContext(context));
        } catch (ConfigException.IO e) {
            throw mistake(place, what, "which cannot be read", e);
        } finally {
            if (file != null) {
                open.pop();
            }
        }
    }

    private boolean isOpen(Path file) {
        return open.stream()
                .anyMatch(other -> other.toAbsolutePath()
                        .normalize()
                        .equals(file.toAbsolutePath().normalize()));
    }

    private static ConfigurationException mistake(
            String place, String what, String why, @Nullable ConfigException cause) {
        return ConfigurationException.of(
                new ConfigMistake(place, "", "includes " + what + ", " + why, "correct the name, or remove it"), cause);
    }

    /** The line of the innermost open file that holds the include. */
    private String place(String what) {
        Path file = open.peek();
        if (file == null) {
            return "application.conf";
        }
        try {
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).strip().startsWith("include") && lines.get(i).contains(what)) {
                    return file + ":" + (i + 1);
                }
            }
        } catch (IOException e) {
            return file.toString();
        }
        return file.toString();
    }

    private ConfigIncluder next() {
        if (next == null) {
            throw new IllegalStateException("the HOCON library has not given its own includer");
        }
        return next;
    }

    private interface Inclusion {
        ConfigObject include(ConfigIncludeContext context);
    }

    private record StrictContext(ConfigIncludeContext context) implements ConfigIncludeContext {

        @Override
        public ConfigParseable relativeTo(String filename) {
            return context.relativeTo(filename);
        }

        @Override
        public ConfigParseOptions parseOptions() {
            return context.parseOptions().setAllowMissing(false);
        }

        @Override
        public ConfigIncludeContext setParseOptions(ConfigParseOptions options) {
            return new StrictContext(context.setParseOptions(options));
        }
    }
}
