package io.tutti.config;

import com.typesafe.config.Config;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.util.List;
import java.util.Locale;
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

    /**
     * A mistake in a setting that only its user can judge, such as the name of a file with another format.
     *
     * @param config the configuration, which tells where the setting was written
     * @param key the full key
     * @param found what is wrong, as the end of a sentence that begins with the key
     * @param allowed what is allowed, or what to do
     */
    public static ConfigurationException at(Config config, String key, String found, String allowed) {
        String where = Origins.describe(
                config.hasPathOrNull(key) ? config.getValue(key).origin() : null);
        return of(new ConfigMistake(where, key, found, allowed), null);
    }

    /** At least one; those of one file in the order of its lines. */
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
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
