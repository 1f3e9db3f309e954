package io.ddlrep.gateway.node;

import io.ddlrep.gateway.wire.Frame;

/** The client's side of a session while its statements are run for it. Used by the thread that runs them. */
public interface ToClient {
    /** Hands a message on; waits where the client does not keep up. */
    void tell(Frame frame);

    /** What was handed on so far is sent. */
    void flush();

    /** From here on the client's messages go to the origin, up to the end of the data that it copies in; or no more. */
    void copiesIn(boolean on);
}
