package io.tutti.config;

import com.typesafe.config.Config;
import io.tutti.gpu.host.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The machines that the host driver can emulate: built-in ones by name, a user's own by file. Each is a HOCON file;
 * {@code topologies/defaults.conf} beside this class is the manual of its keys. {@code local} is not among them: it has as
 * many devices as are needed and the memory of the machine.
 */
public final class Topologies {

    static final String FOLDER = "io/tutti/config/topologies/";

    private static final String SUFFIX = ".conf";
    private static final List<String> NAMES = List.of(
            "gb200-nvl72-18x4",
            "gb200-nvl72-2x4",
            "h100-nvl-2",
            "h200-1",
            "h200-2",
            "h200-2x8",
            "h200-8",
            "h200-8-no-imex",
            "mig",
            "pcie-4",
            "single");

    private Topologies() {}

    /** The built-in ones, sorted. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * Reads one.
     *
     * @param nameOrFile a built-in topology's name, else a file
     * @param memoryPerDevice bytes that every device gets instead of its own, or empty
     * @throws ConfigurationException with every mistake and its place
     */
    public static Topology load(String nameOrFile, OptionalLong memoryPerDevice) {
        boolean builtIn = NAMES.contains(nameOrFile);
        Config config = builtIn ? resource(nameOrFile) : ConfigFile.read(file(nameOrFile));
        String name = builtIn ? nameOrFile : nameOf(nameOrFile);
        return new TopologyParser(resource("defaults"), name, memoryPerDevice)
                .parse(ConfigFailures.resolve(config, Map.of()));
    }

    private static Path file(String name) {
        Path file = Path.of(name);
        if (!Files.exists(file)) {
            throw ConfigurationException.of(
                    new ConfigMistake(
                            "topology " + name,
                            "",
                            "is neither a built-in topology nor a file",
                            NearestName.hint(NAMES, name) + "built in: local, " + String.join(", ", NAMES)),
                    null);
        }
        return file;
    }

    private static String nameOf(String file) {
        String name = String.valueOf(Path.of(file).getFileName());
        String bare = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
        return bare.replaceAll("[^A-Za-z0-9._-]", "_");
    }

    private static Config resource(String name) {
        return BundledConfig.read(FOLDER + name + SUFFIX);
    }
}
