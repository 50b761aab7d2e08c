package io.tutti.benchmarks.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A folder with an mpicc and an mpirun that are shell scripts, and the environment that finds them and nothing else. */
public final class FakeOpenMpi {

    /** Compiles by writing a file of the asked name. */
    public static final String GOOD_COMPILER =
            "while [ \"$1\" != -o ]; do shift; done; echo binary >\"$2\"; chmod +x \"$2\"";

    public static final String READY = "echo '{\"ready\":true,\"ranks\":2}'\n";

    /** Answers each request with as many samples of 1,000 ns, 2,000 ns, … as were asked for. */
    public static final String ANSWERS = "while read -r tokens hidden iterations warm_up; do\n"
            + "  nanos=$(seq -s, 1000 1000 $((iterations * 1000)))\n"
            + "  echo \"{\\\"ranks\\\":2,\\\"tokens\\\":$tokens,\\\"hidden\\\":$hidden,\\\"wrong\\\":0,"
            + "\\\"nanos\\\":[$nanos]}\"\n"
            + "done\n";

    private final Path folder;

    public FakeOpenMpi(Path folder) {
        this.folder = folder;
    }

    public FakeOpenMpi compiler(String script) {
        return tool("mpicc", script);
    }

    /** An mpirun of version 4 that runs the script when it is asked for more than its version. */
    public FakeOpenMpi starter(String script) {
        return tool("mpirun", "case $1 in --version) echo 'mpirun (Open MPI) 4.1.4'; exit 0;; esac\n" + script);
    }

    public FakeOpenMpi tool(String name, String script) {
        try {
            Path file = Files.writeString(
                    Files.createDirectories(bin()).resolve(name), "#!/bin/sh\nPATH=/usr/bin:/bin\n" + script + "\n");
            if (!file.toFile().setExecutable(true)) {
                throw new IllegalStateException("cannot make executable: " + file);
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the tools lie. */
    Path bin() {
        return folder.resolve("bin");
    }

    /** Where the built program is kept. */
    Path cache() {
        return folder.resolve("cache");
    }

    public Map<String, String> environment() {
        // A script needs this tool, but its own folder may hold a real Open MPI.
        tool("rm", "exec /bin/rm \"$@\"");
        return Map.of("PATH", bin().toString(), "XDG_CACHE_HOME", cache().toString());
    }
}
