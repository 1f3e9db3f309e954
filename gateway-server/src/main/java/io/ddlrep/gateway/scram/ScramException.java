package io.ddlrep.gateway.scram;

/** An exchange that failed. The message is what the other side may be told; it holds no secret. */
public final class ScramException extends Exception {
    private static final long serialVersionUID = 1;

    private final String message;
    private final String sqlState;
    private final String detail;

    ScramException(String sqlState, String message, String detail) {
        super(message, null, false, false);
        this.message = message;
        this.sqlState = sqlState;
        this.detail = detail;
    }

    static ScramException malformed(String detail) {
        return new ScramException("08P01", "malformed SCRAM message", detail);
    }

    /** What the other side may be told. */
    public String message() {
        return message;
    }

    /** 08P01 for a message that breaks the rules, 28P01 for a wrong password, 0A000 for what is not supported. */
    public String sqlState() {
        return sqlState;
    }

    /** More about it; perhaps empty. */
    public String detail() {
        return detail;
    }
}
