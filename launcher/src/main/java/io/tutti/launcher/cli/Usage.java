package io.tutti.launcher.cli;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;

/** Words mistakes on the command line. */
public final class Usage {

    private Usage() {}

    public static TuttiException mistake(String message, String advice) {
        return new TuttiException(ErrorInfo.of(ErrorCode.USAGE, message, advice));
    }
}
