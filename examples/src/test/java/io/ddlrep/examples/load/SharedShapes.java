package io.ddlrep.examples.load;

/** The shapes that writers and readers go by: one thread replaces them, all see them. Thread-safe. */
final class SharedShapes {
    private volatile Shapes now = new Shapes();

    Shapes get() {
        return now;
    }

    void set(Shapes shapes) {
        now = shapes;
    }
}
