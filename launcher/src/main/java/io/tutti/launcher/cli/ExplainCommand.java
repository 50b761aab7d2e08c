package io.tutti.launcher.cli;

import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.Explanation;
import io.tutti.gpu.host.fault.DriverCall;
import io.tutti.launcher.report.Json;
import io.tutti.launcher.spi.Console;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tutti explain}. */
@Command(
        name = "explain",
        versionProvider = Version.class,
        sortOptions = false,
        description = {"Says what an answer of the CUDA driver means at a call, and what to do about it."},
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:explained", "2:there is no such call or answer"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  tutti explain cuIpcOpenMemHandle 400",
            "  tutti explain cuMemCreate CUDA_ERROR_NOT_PERMITTED --json",
            "  tutti explain 802"
        })
final class ExplainCommand implements Callable<Integer> {

    private static final String PREFIX = "CUDA_ERROR_";

    private final Console console;

    @Parameters(
            paramLabel = "CALL RESULT",
            arity = "1..2",
            description =
                    "The call, such as cuMemCreate, which may be left out; and its answer, by name, with or without"
                            + " CUDA_ERROR_, or by number.")
    List<String> words = List.of();

    @Mixin
    ReportOptions report;

    @Mixin
    StandardOptions standard;

    ExplainCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (words.size() > 2) {
            throw Usage.mistake(
                    "explain takes a call and its answer, but there is more: " + String.join(" ", words),
                    "Give CALL RESULT, or RESULT alone.");
        }
        String call = words.size() == 2 ? call(words.get(0)) : null;
        CuResult result = result(words.get(words.size() - 1));
        Explanation explanation = Explanation.of(call == null ? "" : call, result);
        if (report.json()) {
            console.out().println(json(call, result, explanation));
        } else {
            console.out().printf("%s (%d)%s%n", result, result.code(), call == null ? "" : " at " + call);
            console.out().printf("  means       %s%n", explanation.cause());
            console.out().printf("  what to do  %s%n", explanation.remedy());
        }
        return ExitStatus.GOOD;
    }

    private static String json(@Nullable String call, CuResult result, Explanation explanation) {
        return Json.object(out -> {
            out.writeStringField("command", "explain");
            out.writeStringField("call", call);
            out.writeStringField("result", result.name());
            out.writeNumberField("code", result.code());
            out.writeStringField("cause", explanation.cause());
            out.writeStringField("advice", explanation.remedy());
        });
    }

    private static String call(String word) {
        List<String> calls = Arrays.stream(DriverCall.values()).map(Enum::name).toList();
        return calls.stream()
                .filter(call -> call.equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> Usage.mistake(
                        "the runtime makes no such call: call=" + word,
                        Usage.hint(calls, word) + "Name a call of the CUDA driver."));
    }

    private static CuResult result(String word) {
        String name = word.toUpperCase(Locale.ROOT);
        return Stream.of(CuResult.values())
                .filter(result -> result.name().equals(name)
                        || result.name().equals(PREFIX + name)
                        || Integer.toString(result.code()).equals(word))
                .findFirst()
                .orElseThrow(() -> Usage.mistake(
                        "no answer that is known here: result=" + word,
                        Usage.hint(Stream.of(CuResult.values()).map(Enum::name).toList(), name)
                                + "Give a number or a name from NVIDIA's list of CUresult values."));
    }
}
