package io.ddlrep.gateway.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import io.ddlrep.gateway.session.OpenSessions;
import java.util.Iterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is logged, and how. Settings are the process's; thread-safe. */
final class Logs {
    private Logs() {}

    /** One object of JSON for each line, from now on. */
    static void json() {
        LoggerContext context = context();
        Iterator<Appender<ILoggingEvent>> appenders =
                context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
        while (appenders.hasNext()) {
            if (appenders.next() instanceof OutputStreamAppender<ILoggingEvent> stream) {
                JsonEncoder encoder = new JsonEncoder();
                encoder.setContext(context);
                encoder.setWithSequenceNumber(false);
                encoder.setWithNanoseconds(false);
                encoder.setWithContext(false);
                encoder.setWithMDC(false);
                // The message with its arguments, and not both of them apart.
                encoder.setWithMessage(false);
                encoder.setWithArguments(false);
                encoder.setWithFormattedMessage(true);
                encoder.start();
                stream.stop();
                stream.setEncoder(encoder);
                stream.start();
            }
        }
    }

    /** Whether the begin and the end of each session are logged. */
    static void connections(boolean on) {
        context().getLogger(OpenSessions.LOG_NAME).setLevel(on ? Level.INFO : Level.WARN);
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
}
