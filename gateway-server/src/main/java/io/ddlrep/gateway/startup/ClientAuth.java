package io.ddlrep.gateway.startup;

/** How the gateway learns who a client is. Immutable. */
public sealed interface ClientAuth {
    /**
     * The client logs in here by SCRAM, and its login's key is good on the nodes.
     *
     * @param verifiers where verifiers come from
     */
    record Scram(Verifiers verifiers) implements ClientAuth {}

    /** The client's certificate says it; the nodes know the gateway by its own. */
    record Certificate() implements ClientAuth {}

    /** The gateway asks nobody: the origin may. */
    record Trust() implements ClientAuth {}
}
