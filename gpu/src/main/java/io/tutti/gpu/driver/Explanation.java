package io.tutti.gpu.driver;

/**
 * What a driver's answer means at the call that gave it, and what to do. Errors and {@code tutti explain} say the same,
 * since both ask here: what the call's own table says, and for anything that is not in it what {@link CuResult} says.
 *
 * @param cause why the driver answers so
 * @param remedy what an operator can do; never empty
 */
public record Explanation(String cause, String remedy) {

    /** The explanation; of any call, also one that is not listed anywhere. */
    public static Explanation of(String call, CuResult result) {
        Explanation special = CallAnswers.of(call).get(result);
        return special == null ? new Explanation(result.cause(), result.remedy()) : special;
    }

    /** Whether the answer means something of its own at that call. */
    public static boolean isSpecial(String call, CuResult result) {
        return CallAnswers.of(call).containsKey(result);
    }
}
