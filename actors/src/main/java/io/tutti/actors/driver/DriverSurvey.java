package io.tutti.actors.driver;

import io.tutti.gpu.ErrorInfo;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a process would run on under its settings.
 *
 * @param real whether the devices are real
 * @param driver {@code host} or {@code cuda}
 * @param devices how many devices there are, or empty where the host driver makes as many as are needed
 * @param deviceBytes memory of the smallest device, or empty on the host driver
 * @param passedOver why {@code cuda} was not taken although the settings leave the choice, or empty
 */
public record DriverSurvey(
        boolean real, String driver, OptionalInt devices, OptionalLong deviceBytes, Optional<ErrorInfo> passedOver) {}
