package io.tutti.launcher.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;

/**
 * Configures Logback, which finds this class as a service when the first logger is made. In code rather than XML, which
 * would cost a quarter of a second at every start. A file named by {@code -Dlogback.configurationFile} wins.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class StderrLogging extends ContextAwareBase implements Configurator {

    private static final String FILE_PROPERTY = "logback.configurationFile";
    private static final String OWN_LOGGERS = "io.tutti";
    private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0} - %msg%n";
    private static final String WITHOUT_STACK_TRACES = "%nopex";

    /** Logs what the bind's own failure tells the user better. */
    private static final String LISTENER = "org.apache.pekko.io.TcpListener";

    /** Tells the same again whenever a singleton answers late, which under load is often. */
    private static final String SINGLETON_PROXY = "org.apache.pekko.cluster.singleton.ClusterSingletonProxy";

    private static volatile boolean verbose;

    /** Chooses how much is logged; has to come before the first logger. */
    public static void setVerbose(boolean newVerbose) {
        verbose = newVerbose;
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty(FILE_PROPERTY) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(verbose ? PATTERN : PATTERN + WITHOUT_STACK_TRACES);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName("stderr");
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(verbose ? Level.INFO : Level.WARN);
        context.getLogger(LISTENER).setLevel(verbose ? Level.INFO : Level.OFF);
        context.getLogger(SINGLETON_PROXY).setLevel(Level.WARN);
        context.getLogger(OWN_LOGGERS).setLevel(verbose ? Level.DEBUG : Level.WARN);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
