package io.ddlrep.gateway.admin;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The binary form of {@code numeric} (numeric_send in PostgreSQL's numeric.c): how many digits to the base of 10,000, the
 * first one's weight, sign, how many decimals are shown, then the digits. Stateless.
 */
final class BinaryNumeric {
    private static final int DECIMALS_OF_A_DIGIT = 4;
    private static final BigInteger BASE = BigInteger.valueOf(10_000);
    private static final int HEADER = 8;
    private static final short NEGATIVE = 0x4000;

    private BinaryNumeric() {}

    /** Writes a value. */
    static byte[] write(BigDecimal value) {
        int scale = Math.max(0, value.scale());
        int fraction = (scale + DECIMALS_OF_A_DIGIT - 1) / DECIMALS_OF_A_DIGIT;
        BigInteger left = value.abs().setScale(fraction * DECIMALS_OF_A_DIGIT).unscaledValue();
        Deque<Integer> digits = new ArrayDeque<>();
        while (left.signum() != 0) {
            BigInteger[] parts = left.divideAndRemainder(BASE);
            digits.addFirst(parts[1].intValue());
            left = parts[0];
        }
        int weight = digits.isEmpty() ? 0 : digits.size() - fraction - 1;
        ByteBuffer out = ByteBuffer.allocate(HEADER + Short.BYTES * digits.size());
        out.putShort((short) digits.size()).putShort((short) weight);
        out.putShort(value.signum() < 0 ? NEGATIVE : 0).putShort((short) scale);
        digits.forEach(digit -> out.putShort(digit.shortValue()));
        return out.array();
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException when it is not a finite number
     */
    static BigDecimal read(ByteBuffer in) {
        if (in.remaining() < HEADER) {
            throw new IllegalArgumentException("a binary value is no NUMERIC");
        }
        int digits = in.getShort();
        int weight = in.getShort();
        short sign = in.getShort();
        int scale = in.getShort();
        if ((sign != 0 && sign != NEGATIVE) || digits < 0 || scale < 0 || in.remaining() != digits * Short.BYTES) {
            throw new IllegalArgumentException("a binary value is no finite NUMERIC");
        }
        BigInteger unscaled = BigInteger.ZERO;
        for (int i = 0; i < digits; i++) {
            unscaled = unscaled.multiply(BASE).add(BigInteger.valueOf(in.getShort()));
        }
        BigDecimal value = new BigDecimal(unscaled, (digits - weight - 1) * DECIMALS_OF_A_DIGIT);
        // Digits beyond the scale are zeros.
        BigDecimal scaled = value.setScale(scale, RoundingMode.DOWN);
        return sign == NEGATIVE ? scaled.negate() : scaled;
    }
}
