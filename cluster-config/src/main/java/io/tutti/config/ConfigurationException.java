package io.tutti.config;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A configuration that cannot be used, with every mistake that was found in it. */
public final class ConfigurationException extends TuttiException {

    private static final long serialVersionUID = 1L;

    private final transient List<ConfigMistake> mistakes;

    public ConfigurationException(List<ConfigMistake> mistakes) {
        this(mistakes, null);
    }

    ConfigurationException(List<ConfigMistake> mistakes, @Nullable Throwable cause) {
        super(info(mistakes), cause);
        this.mistakes = List.copyOf(mistakes);
    }

    static ConfigurationException of(ConfigMistake mistake, @Nullable Throwable cause) {
        return new ConfigurationException(List.of(mistake), cause);
    }

    /** At least one, in the order in which the settings are read. */
    public List<ConfigMistake> mistakes() {
        return mistakes;
    }

    private static ErrorInfo info(List<ConfigMistake> mistakes) {
        if (mistakes.isEmpty()) {
            throw new IllegalArgumentException("a configuration error needs at least one mistake");
        }
        if (mistakes.size() == 1) {
            ConfigMistake only = mistakes.get(0);
            return ErrorInfo.of(ErrorCode.CONFIGURATION, only.problem(), capitalised(only.allowed()));
        }
        String all =
                mistakes.stream().map(mistake -> "\n  " + mistake.describe()).collect(Collectors.joining());
        return ErrorInfo.of(
                ErrorCode.CONFIGURATION,
                "the configuration has " + mistakes.size() + " mistakes:" + all,
                "Correct each of them");
    }

    private static String capitalised(String text) {
        return text.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + text.substring(1);
    }
}
