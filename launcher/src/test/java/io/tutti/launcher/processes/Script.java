package io.tutti.launcher.processes;

import io.tutti.gpu.ErrorInfo;
import java.util.List;

/** A rank process played by a shell script: it says messages, waits for lines, and ends as it is told. */
final class Script {

    private final StringBuilder lines = new StringBuilder();

    /** Waits for the job and comes up. */
    static Script started(String identity) {
        return new Script().hear().say(new ProcessMessage.Started(identity, "127.0.0.1:1"));
    }

    static Script of(String shell) {
        return new Script().shell(shell);
    }

    Script say(ProcessMessage message) {
        return shell("printf '%s\\n' '" + ProcessMessages.encode(message) + "'");
    }

    Script fail(ErrorInfo error) {
        return say(new ProcessMessage.Failed(error)).shell("exit 1");
    }

    /** Waits for one line, and ends when there is none, as a rank process must. */
    Script hear() {
        return shell("read -r line || exit 1");
    }

    /** Its part is right, and it ends when all agree. */
    Script check(String sha256) {
        return say(new ProcessMessage.Checked(Results.of(sha256, 0, 1))).hear();
    }

    Script shell(String line) {
        lines.append(line).append('\n');
        return this;
    }

    List<String> command() {
        return List.of("/bin/sh", "-c", lines.toString());
    }
}
