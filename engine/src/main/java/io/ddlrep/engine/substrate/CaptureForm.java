package io.ddlrep.engine.substrate;

import java.util.Locale;

/** How changes of a table are captured; decided from the catalogs at each refresh. */
public enum CaptureForm {
    /** Statement-level triggers with transition tables. */
    STATEMENT,
    /** Row-level triggers: partitioned tables, inheritance, user row triggers. */
    ROW,
    /** Nothing of its own: a partition whose parent carries the triggers. */
    NONE;

    /** The form as the control schema spells it. */
    public String sql() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The form of a control schema value. */
    public static CaptureForm of(String sql) {
        return valueOf(sql.toUpperCase(Locale.ROOT));
    }
}
