package io.tutti.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the command must say of a rank process that was killed. */
final class Deaths {

    private static final Pattern FREE_AFTER = Pattern.compile("othersFreeAfterMillis=([0-9]+)");
    private static final long BOUND_MILLIS = 1_000;

    private Deaths() {}

    /** @param rank the only rank of the killed process */
    static void assertNamesRankAndOthersWereFree(TuttiProgram.Outcome outcome, String rank) throws IOException {
        JsonNode error = outcome.error(1);
        String message = error.get("message").textValue();
        assertThat(error.get("code").textValue()).as(message).isEqualTo("remote");
        assertThat(error.get("rank").asText()).as(message).isEqualTo(rank);
        assertThat(message).contains("killed by SIGKILL", "ranks=[" + rank + "]");
        Matcher freeAfter = FREE_AFTER.matcher(message);
        assertThat(freeAfter.find()).as(message).isTrue();
        assertThat(Long.parseLong(freeAfter.group(1))).as(message).isLessThanOrEqualTo(BOUND_MILLIS);
    }
}
