package io.tutti.launcher.processes;

/** Something that a rank process did. */
sealed interface ProcessEvent {

    /** The process's number. */
    int process();

    /** It said something. */
    record Said(int process, ProcessMessage.FromProcess message) implements ProcessEvent {}

    /** It ended, and everything that it had said before was handed on. */
    record Exited(int process, int exitValue) implements ProcessEvent {}
}
