package io.ddlrep.engine.operation;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The id of an operation: 16 hexadecimal digits. Immutable.
 *
 * @param text the digits
 */
record OperationId(String text) {
    OperationId {
        if (!text.matches("[0-9a-f]{16}")) {
            throw new IllegalArgumentException("not an operation id: " + text);
        }
    }

    /** A new random id. */
    static OperationId random(SecureRandom random) {
        byte[] bytes = new byte[8];
        random.nextBytes(bytes);
        return new OperationId(HexFormat.of().formatHex(bytes));
    }

    /** The id of the prepared transaction on a node; the node is in it since two nodes may live in one server. */
    Gid gid(String group, String node) {
        return new Gid(group, node, this);
    }

    @Override
    public String toString() {
        return text;
    }

    /**
     * The gid of a companion's prepared transaction, {@code ddlrep:<group>:<node>:<op>}. Immutable.
     *
     * @param group group id
     * @param node node name
     * @param op the operation
     */
    record Gid(String group, String node, OperationId op) {
        /** Reads a gid; empty for one that is not ours. */
        static Optional<Gid> parse(String text) {
            String[] parts = text.split(":", -1);
            if (parts.length != 4 || !parts[0].equals("ddlrep") || !parts[3].matches("[0-9a-f]{16}")) {
                return Optional.empty();
            }
            return Optional.of(new Gid(parts[1], parts[2], new OperationId(parts[3])));
        }

        /** The gid as an SQL literal: PREPARE TRANSACTION takes no parameter. */
        String literal() {
            return "'" + toString().replace("'", "''") + "'";
        }

        @Override
        public String toString() {
            return "ddlrep:" + group + ":" + node + ":" + op;
        }
    }
}
