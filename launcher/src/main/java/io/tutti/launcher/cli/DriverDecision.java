package io.tutti.launcher.cli;

import com.typesafe.config.Config;
import io.tutti.actors.driver.DriverSurvey;
import io.tutti.actors.driver.Drivers;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.ConfigOverride;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.posix.MemoryLimits;
import io.tutti.launcher.input.OperationShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A command's configuration, completed by what the machine has: which driver {@code auto} means here, and one rank per
 * device where nobody said how many ranks there are.
 *
 * @param config with the driver decided
 * @param survey of the driver that is used
 */
public record DriverDecision(Config config, TuttiSettings settings, DriverSurvey survey) {

    private static final String ORIGIN = "the devices that there are";

    /**
     * Looks at the machine.
     *
     * @param more settings that win over the options
     * @throws io.tutti.gpu.TuttiException with code CONFIGURATION, or SYSTEM where the driver that is asked for cannot be
     *     used
     */
    public static DriverDecision of(
            ClusterOptions cluster, List<ConfigOverride> more, Map<String, String> environment) {
        Config config = cluster.load(more, environment);
        TuttiSettings settings = TuttiSettings.load(config, environment);
        DriverSurvey survey = Drivers.survey(settings);
        if (survey.devices().isEmpty()) {
            return new DriverDecision(config, settings, survey);
        }
        List<ConfigOverride> decided = new ArrayList<>(more);
        decided.add(new ConfigOverride("tutti.driver", survey.driver(), ORIGIN));
        cluster.rankPerDevice(config, survey.devices().getAsInt(), ORIGIN).ifPresent(decided::add);
        Config complete = cluster.load(decided, environment);
        return new DriverDecision(complete, TuttiSettings.load(complete, environment), survey);
    }

    /**
     * Checks that all ranks find a device on this machine.
     *
     * @throws io.tutti.gpu.TuttiException with code USAGE
     */
    public void checkDevices() {
        if (survey.devices().isEmpty() || settings.shareDevices()) {
            return;
        }
        int devices = survey.devices().getAsInt();
        for (CommunicatorSettings communicator : settings.communicators()) {
            if (communicator.worldSize() > devices) {
                throw Usage.mistake(
                        "more ranks than devices: communicator=" + communicator.name() + " ranks="
                                + communicator.worldSize() + " devices=" + devices + " " + machine(),
                        "Give --ranks from 1 to " + devices
                                + ", or emulate a larger machine (--topology local). For tests, ranks may share devices"
                                + " (tutti.devices.allow-sharing).");
            }
        }
    }

    /**
     * Checks that a run can fit into the memory that it would use.
     *
     * @throws io.tutti.gpu.TuttiException with code USAGE or CONFIGURATION
     */
    public void checkMemory(OperationShape shape, Epilogue epilogue) {
        MemoryNeed need = MemoryNeed.of(settings, shape, epilogue, survey);
        if (survey.real()) {
            need.checkDevice();
        } else {
            need.check(MemoryLimits.system().available());
        }
    }

    private String machine() {
        return survey.real() ? "driver=" + survey.driver() : "topology=" + settings.topology();
    }

    /** What stands for the topology in reports. */
    public String topology() {
        return survey.real() ? "machine" : settings.topology();
    }
}
