package io.ddlrep.parser.internal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The words for true and false that settings take (parse_bool in src/backend/utils/adt/bool.c). Stateless. */
public final class BooleanWords {
    private BooleanWords() {}

    /** True, false, or null where the text is neither; quotes around it do not matter. */
    public static @Nullable Boolean parse(String text) {
        String word = text.replace("'", "").replace("\"", "").strip().toLowerCase(Locale.ROOT);
        if (word.equals("1") || word.equals("on") || prefix(word, "true") || prefix(word, "yes")) {
            return true;
        }
        if (word.equals("0")
                || word.equals("of")
                || word.equals("off")
                || prefix(word, "false")
                || prefix(word, "no")) {
            return false;
        }
        return null;
    }

    private static boolean prefix(String word, String whole) {
        return !word.isEmpty() && whole.startsWith(word);
    }
}
