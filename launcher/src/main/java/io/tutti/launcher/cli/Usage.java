package io.tutti.launcher.cli;

import io.tutti.config.NearestName;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.util.Collection;

/** Words mistakes on the command line. */
public final class Usage {

    private Usage() {}

    public static TuttiException mistake(String message, String advice) {
        return new TuttiException(ErrorInfo.of(ErrorCode.USAGE, message, advice));
    }

    /** What advice begins with when somebody wrote none of the names, or nothing where no name is close. */
    static String hint(Collection<String> names, String written) {
        return NearestName.among(names, written)
                .map(meant -> "Did you mean " + meant + "? ")
                .orElse("");
    }
}
