package io.tutti.config;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import io.tutti.gpu.ErrorCode;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Configurations given as text, and the mistakes in them. */
final class ConfigText {

    private ConfigText() {}

    static Config parse(String... lines) {
        return ConfigFactory.parseString(
                String.join("\n", lines), ConfigParseOptions.defaults().setOriginDescription("test"));
    }

    static TuttiSettings settings(String... lines) {
        return TuttiSettings.load(parse(lines), Map.of());
    }

    /** The mistakes as {@code PLACE: KEY FOUND; ALLOWED}. */
    static List<String> mistakes(String... lines) {
        return mistakesOf(() -> settings(lines));
    }

    static List<String> mistakesOf(ThrowingCallable loading) {
        ConfigurationException failure = catchThrowableOfType(ConfigurationException.class, loading);
        Assertions.assertThat(failure).as("a configuration error").isNotNull();
        Assertions.assertThat(failure.code()).isEqualTo(ErrorCode.CONFIGURATION);
        return failure.mistakes().stream().map(ConfigMistake::describe).toList();
    }
}
