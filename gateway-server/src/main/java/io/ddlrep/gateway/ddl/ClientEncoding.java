package io.ddlrep.gateway.ddl;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Map;
import java.util.Optional;

/**
 * How a client writes its texts, by PostgreSQL's {@code client_encoding}. Immutable.
 *
 * @param charset the same in Java; Latin 1 where PostgreSQL's own has none, so that every byte comes out as it went in
 */
record ClientEncoding(Charset charset) {
    /** Names that differ; from src/common/encnames.c, by what Java calls the same set. */
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("SQL_ASCII", "ISO-8859-1"),
            Map.entry("UTF8", "UTF-8"),
            Map.entry("LATIN1", "ISO-8859-1"),
            Map.entry("LATIN2", "ISO-8859-2"),
            Map.entry("LATIN3", "ISO-8859-3"),
            Map.entry("LATIN4", "ISO-8859-4"),
            Map.entry("LATIN5", "ISO-8859-9"),
            Map.entry("LATIN7", "ISO-8859-13"),
            Map.entry("LATIN9", "ISO-8859-15"),
            Map.entry("ISO_8859_5", "ISO-8859-5"),
            Map.entry("ISO_8859_6", "ISO-8859-6"),
            Map.entry("ISO_8859_7", "ISO-8859-7"),
            Map.entry("ISO_8859_8", "ISO-8859-8"),
            Map.entry("WIN", "windows-1251"),
            Map.entry("ALT", "IBM866"),
            Map.entry("KOI8", "KOI8-R"),
            Map.entry("KOI8R", "KOI8-R"),
            Map.entry("KOI8U", "KOI8-U"),
            Map.entry("EUC_JP", "EUC-JP"),
            Map.entry("EUC_CN", "GB2312"),
            Map.entry("EUC_KR", "EUC-KR"),
            Map.entry("SJIS", "windows-31j"),
            Map.entry("BIG5", "Big5"),
            Map.entry("GBK", "GBK"),
            Map.entry("UHC", "x-windows-949"),
            Map.entry("GB18030", "GB18030"),
            Map.entry("JOHAB", "x-Johab"));

    /** The encoding with this name. */
    static ClientEncoding of(String name) {
        if (name.startsWith("WIN") && name.length() > 3) {
            return named("windows-" + name.substring(3));
        }
        return named(NAMES.getOrDefault(name, "ISO-8859-1"));
    }

    private static ClientEncoding named(String name) {
        try {
            return new ClientEncoding(Charset.forName(name));
        } catch (UnsupportedCharsetException e) {
            return new ClientEncoding(StandardCharsets.ISO_8859_1);
        }
    }

    /** The text; empty where the bytes are none in this encoding, which the server then says. */
    Optional<String> decode(byte[] bytes, int from, int to) {
        try {
            return Optional.of(charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, from, to - from))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
