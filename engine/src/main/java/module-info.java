/**
 * Everything that is ddlrep, over small ports to a node ({@link io.ddlrep.engine.node}) and to what carries rows
 * ({@link io.ddlrep.engine.substrate}). A program uses {@link io.ddlrep.engine}, and {@link io.ddlrep.engine.control} to
 * make a group; the driver puts an engine together from more. pgjdbc has only an automatic name, and the driver, which comes later, is not seen from here.
 */
@SuppressWarnings({"module", "requires-automatic"})
module io.ddlrep.engine {
    requires static transitive org.jspecify;
    requires transitive io.ddlrep.parser;
    requires java.sql;
    requires org.postgresql.jdbc;
    requires org.slf4j;

    exports io.ddlrep.engine;
    exports io.ddlrep.engine.control;
    exports io.ddlrep.engine.node;
    exports io.ddlrep.engine.substrate;
    exports io.ddlrep.engine.jdbc to
            io.ddlrep.driver;
    exports io.ddlrep.engine.operation to
            io.ddlrep.driver;
    exports io.ddlrep.engine.replication to
            io.ddlrep.driver;
}
