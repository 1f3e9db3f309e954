package io.ddlrep.gateway.admin;

import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/** Numbers as wide as PostgreSQL's: 1,000 digits may be declared. Stateless. */
public final class WideNumbers extends RelDataTypeSystemImpl {
    /** The one that Calcite is told to use, by this field's name. */
    public static final RelDataTypeSystem INSTANCE = new WideNumbers();

    private static final int DIGITS = 1000;

    private WideNumbers() {}

    @Override
    public int getMaxPrecision(SqlTypeName type) {
        return type == SqlTypeName.DECIMAL ? DIGITS : super.getMaxPrecision(type);
    }

    @Override
    public int getMaxScale(SqlTypeName type) {
        return type == SqlTypeName.DECIMAL ? DIGITS : super.getMaxScale(type);
    }
}
