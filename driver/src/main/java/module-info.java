/** The {@code jdbc:ddlrep:} driver. pgjdbc, which it wraps, has only an automatic name. */
@SuppressWarnings("requires-automatic")
module io.ddlrep.driver {
    requires static transitive org.jspecify;
    requires transitive java.sql;
    requires io.ddlrep.engine;
    requires org.postgresql.jdbc;

    exports io.ddlrep.driver;

    provides java.sql.Driver with
            io.ddlrep.driver.DdlrepDriver;
}
