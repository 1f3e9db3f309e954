package io.ddlrep.gateway.admin;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Types of columns and parameters, with PostgreSQL's oids (pg_type.dat) and its text and binary forms. What is none of the
 * others travels as text, as PostgreSQL prints it.
 */
public enum ColumnType {
    /** {@code bool}. */
    BOOLEAN(16, 1, SqlTypeName.BOOLEAN),
    /** {@code int2}. */
    SMALLINT(21, 2, SqlTypeName.SMALLINT),
    /** {@code int4}. */
    INTEGER(23, 4, SqlTypeName.INTEGER),
    /** {@code int8}. */
    BIGINT(20, 8, SqlTypeName.BIGINT),
    /** {@code float8}. */
    DOUBLE(701, 8, SqlTypeName.DOUBLE),
    /** {@code numeric}. */
    NUMERIC(1700, -1, SqlTypeName.DECIMAL),
    /** {@code text}. */
    TEXT(25, -1, SqlTypeName.VARCHAR);

    /** {@code name}, {@code bpchar}, {@code varchar}, and {@code unknown}. */
    private static final List<Integer> TEXTS = List.of(19, 1042, 1043, 705);

    private static final int NUMERIC_PRECISION = 1000;
    private static final int NUMERIC_SCALE = 500;

    private final int oid;
    private final int size;
    private final SqlTypeName name;

    ColumnType(int oid, int size, SqlTypeName name) {
        this.oid = oid;
        this.size = size;
        this.name = name;
    }

    /** The type's oid. */
    int oid() {
        return oid;
    }

    /** Bytes of a value; -1 where they vary. */
    int size() {
        return size;
    }

    /** The type as Calcite has it. */
    RelDataType in(RelDataTypeFactory types) {
        RelDataType plain = this == NUMERIC
                ? types.createSqlType(name, NUMERIC_PRECISION, NUMERIC_SCALE)
                : types.createSqlType(name);
        return types.createTypeWithNullability(plain, true);
    }

    /** By one of {@link Types}. */
    static ColumnType ofJdbc(int type) {
        return switch (type) {
            case Types.BOOLEAN, Types.BIT -> BOOLEAN;
            case Types.TINYINT, Types.SMALLINT -> SMALLINT;
            case Types.INTEGER -> INTEGER;
            case Types.BIGINT -> BIGINT;
            case Types.FLOAT, Types.REAL, Types.DOUBLE -> DOUBLE;
            case Types.NUMERIC, Types.DECIMAL -> NUMERIC;
            default -> TEXT;
        };
    }

    /** By a name of {@code pg_type}. */
    static ColumnType ofServer(String type) {
        return switch (type) {
            case "bool" -> BOOLEAN;
            case "int2" -> SMALLINT;
            case "int4" -> INTEGER;
            case "int8", "oid" -> BIGINT;
            case "float4", "float8" -> DOUBLE;
            case "numeric" -> NUMERIC;
            default -> TEXT;
        };
    }

    /** By a parameter's oid; TEXT where it is 0 or another. */
    static ColumnType ofOid(int oid) {
        return Arrays.stream(values())
                .filter(each -> each.oid == oid)
                .findFirst()
                .orElse(TEXT);
    }

    /** Whether a parameter of this type can be read in binary form: one of these types, or one that is text, too. */
    static boolean isBinaryKnown(int oid) {
        return TEXTS.contains(oid) || Arrays.stream(values()).anyMatch(each -> each.oid == oid);
    }

    /**
     * Reads PostgreSQL's text form.
     *
     * @throws IllegalArgumentException when it is none of this type
     */
    Object parse(String text) {
        return switch (this) {
            case BOOLEAN ->
                switch (text.trim().toLowerCase(Locale.ROOT)) {
                    case "t", "true", "on", "yes", "y", "1" -> true;
                    case "f", "false", "off", "no", "n", "0" -> false;
                    default ->
                        throw new IllegalArgumentException("invalid input syntax for type boolean: \"" + text + "\"");
                };
            case SMALLINT -> Short.valueOf(text.trim());
            case INTEGER -> Integer.valueOf(text.trim());
            case BIGINT -> Long.valueOf(text.trim());
            case DOUBLE -> Double.valueOf(text.trim());
            case NUMERIC -> new BigDecimal(text.trim());
            case TEXT -> text;
        };
    }

    /**
     * Reads PostgreSQL's binary form.
     *
     * @throws IllegalArgumentException when it is none of this type
     */
    Object parse(byte[] binary) {
        if (size > 0 && binary.length != size) {
            throw new IllegalArgumentException("a binary value of " + binary.length + " bytes is no " + this);
        }
        ByteBuffer in = ByteBuffer.wrap(binary);
        return switch (this) {
            case BOOLEAN -> in.get() != 0;
            case SMALLINT -> in.getShort();
            case INTEGER -> in.getInt();
            case BIGINT -> in.getLong();
            case DOUBLE -> in.getDouble();
            case NUMERIC -> BinaryNumeric.read(in);
            case TEXT -> new String(binary, StandardCharsets.UTF_8);
        };
    }

    /** A value's text form. */
    byte[] text(Object value) {
        String text = switch (this) {
            case BOOLEAN -> (Boolean) value ? "t" : "f";
            case NUMERIC -> ((BigDecimal) value).toPlainString();
            case DOUBLE -> doubleText((Double) value);
            default -> value.toString();
        };
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A value's binary form. */
    byte[] binary(Object value) {
        return switch (this) {
            case BOOLEAN -> new byte[] {(byte) ((Boolean) value ? 1 : 0)};
            case SMALLINT -> ByteBuffer.allocate(size).putShort((Short) value).array();
            case INTEGER -> ByteBuffer.allocate(size).putInt((Integer) value).array();
            case BIGINT -> ByteBuffer.allocate(size).putLong((Long) value).array();
            case DOUBLE -> ByteBuffer.allocate(size).putDouble((Double) value).array();
            case NUMERIC -> BinaryNumeric.write((BigDecimal) value);
            case TEXT -> text(value);
        };
    }

    /** As PostgreSQL prints it: {@code 1} and not {@code 1.0}, {@code 1e+22} and not {@code 1.0E22}. */
    private static String doubleText(double value) {
        String text = Double.toString(value);
        int exponent = text.indexOf('E');
        String digits = exponent < 0 ? text : text.substring(0, exponent);
        String plain = digits.endsWith(".0") ? digits.substring(0, digits.length() - 2) : digits;
        if (exponent < 0) {
            return plain;
        }
        int power = Integer.parseInt(text, exponent + 1, text.length(), 10);
        return plain + "e" + (power < 0 ? "-" : "+") + (Math.abs(power) < 10 ? "0" : "") + Math.abs(power);
    }
}
