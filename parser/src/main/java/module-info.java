/** Text in, values out: splits, classifies and analyses PostgreSQL's SQL. The door is {@link io.ddlrep.parser.SqlParser}. */
module io.ddlrep.parser {
    requires static transitive org.jspecify;
    requires net.sf.jsqlparser;

    exports io.ddlrep.parser;
}
