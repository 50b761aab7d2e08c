package io.tutti.launcher.cli;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;

/** Words mistakes on the command line. */
final class Usage {

    private Usage() {}

    static TuttiException mistake(String message, String advice) {
        return new TuttiException(ErrorInfo.of(ErrorCode.USAGE, message, advice));
    }
}
