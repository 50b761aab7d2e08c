package io.tutti.config;

import java.util.Locale;
import java.util.regex.Pattern;

/** Host names, addresses and ports as text; nothing here asks a name server. */
public final class HostPort {

    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?|\\[?[0-9A-Fa-f:.]+]?");
    private static final Pattern DOTTED_LOOPBACK = Pattern.compile("127(\\.[0-9]{1,3}){3}");

    private HostPort() {}

    static boolean isHost(String text) {
        return HOST.matcher(text).matches();
    }

    /** Whether the text is {@code host:port} with a port from 1 to 65535. */
    static boolean isHostPort(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1 || !isHost(text.substring(0, colon))) {
            return false;
        }
        String port = text.substring(colon + 1);
        return port.matches("[0-9]{1,5}") && Integer.parseInt(port) >= 1 && Integer.parseInt(port) <= 65535;
    }

    /** Only what is certainly the loopback interface; any other name counts as reachable from outside. */
    public static boolean isLoopback(String host) {
        String plain = host.toLowerCase(Locale.ROOT).replace("[", "").replace("]", "");
        return plain.equals("localhost")
                || plain.equals("::1")
                || plain.equals("0:0:0:0:0:0:0:1")
                || DOTTED_LOOPBACK.matcher(plain).matches();
    }
}
