package io.ddlrep.engine;

/**
 * A DDL statement of the client's that is alone in its transaction: the engine may also run it in another form. One of the
 * two methods is called, at most once, on the thread that handed it in.
 */
public interface OriginStatement extends OriginCall {
    /** The engine has run it in another form; the client is told its command tag. */
    void answered();

    /** A statement of two actions. */
    static OriginStatement of(OriginCall run, OriginCall answered) {
        return new OriginStatement() {
            @Override
            public void run() {
                run.run();
            }

            @Override
            public void answered() {
                answered.run();
            }
        };
    }
}
