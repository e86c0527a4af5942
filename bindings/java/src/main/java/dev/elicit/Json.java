package dev.elicit;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes JSON as the maps and lists that {@link Contract} knows. An integer becomes a {@link Long} if it
 * fits, and other numbers a {@link BigDecimal}, so that 1.0 stays 1.0. A number that is too long or too large for one
 * is a {@link Number} whose {@code toString} is its text. A lone surrogate stays one, as an escape.
 */
public final class Json {
    private static final int DEEPEST = 1000;
    private static final int MOST_DIGITS = 1000; // a BigDecimal takes seconds to read a million

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** Reads a document in UTF-8. Anything else is an {@link IllegalArgumentException}. */
    public static Object read(byte[] document) {
        try {
            return read(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(document)).toString());
        } catch (CharacterCodingException wrong) {
            throw new IllegalArgumentException("the document is not UTF-8", wrong);
        }
    }

    /** Reads a document. */
    public static Object read(String document) {
        Json reader = new Json(document);
        Object value = reader.value();
        if (reader.peek() != 0 || reader.at < document.length()) {
            throw reader.wrong();
        }
        return value;
    }

    /** Writes maps, lists, texts, numbers, booleans and null in UTF-8. */
    public static byte[] write(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value, 0);
        return bytes(out);
    }

    /** The bytes of a text. One with a lone surrogate has none, and no other character takes its place. */
    static byte[] bytes(CharSequence text) {
        try {
            ByteBuffer made = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[made.remaining()];
            made.get(bytes);
            return bytes;
        } catch (CharacterCodingException wrong) {
            throw new IllegalArgumentException("the text has a lone surrogate", wrong);
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(byte[] document) {
        return (Map<String, Object>) read(document);
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("this is not JSON at character " + at);
    }

    /** The next character after blanks, or 0 at the end. */
    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw wrong();
        }
        at++;
    }

    private Object value() {
        if (++depth > DEEPEST) {
            throw wrong();
        }
        Object value = switch (peek()) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
        depth--;
        return value;
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        expect('{');
        while (peek() != '}') {
            if (!members.isEmpty()) {
                expect(',');
            }
            if (peek() != '"') {
                throw wrong();
            }
            String name = string();
            expect(':');
            if (members.containsKey(name)) {
                throw wrong(); // readers differ about it
            }
            members.put(name, value());
        }
        at++;
        return members;
    }

    private List<Object> list() {
        List<Object> elements = new ArrayList<>();
        expect('[');
        while (peek() != ']') {
            if (!elements.isEmpty()) {
                expect(',');
                if (peek() == ']') {
                    throw wrong();
                }
            }
            elements.add(value());
        }
        at++;
        return elements;
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong();
        }
        at += word.length();
        return value;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        for (at++; ; at++) {
            char c = at < text.length() ? text.charAt(at) : 0;
            if (c < ' ') {
                throw wrong();
            } else if (c == '"') {
                at++;
                return out.toString();
            } else if (c != '\\') {
                out.append(c);
                continue;
            }
            int which = ++at < text.length() ? "\"\\/bfnrtu".indexOf(text.charAt(at)) : -1;
            if (which < 0) {
                throw wrong();
            }
            out.append(which < 8 ? "\"\\/\b\f\n\r\t".charAt(which) : escaped());
        }
    }

    private char escaped() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            char c = ++at < text.length() ? text.charAt(at) : 0;
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw wrong();
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private int digits() {
        int from = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == from) {
            throw wrong();
        }
        return at - from;
    }

    private boolean next(String those) {
        boolean found = at < text.length() && those.indexOf(text.charAt(at)) >= 0;
        at += found ? 1 : 0;
        return found;
    }

    private Number number() {
        int from = at;
        boolean whole = true;
        next("-");
        boolean zero = at < text.length() && text.charAt(at) == '0';
        if (digits() > 1 && zero) {
            throw wrong();
        }
        if (next(".")) {
            whole = false;
            digits();
        }
        if (next("eE")) {
            whole = false;
            next("+-");
            digits();
        }
        String said = text.substring(from, at);
        if (said.length() > MOST_DIGITS) {
            return new Spelled(said);
        }
        try {
            boolean fits = whole && said.length() < 20 && !said.equals("-0");
            return fits ? (Number) Long.valueOf(said) : new BigDecimal(said);
        } catch (NumberFormatException large) {
            return whole ? new BigDecimal(said) : new Spelled(said); // an exponent of ten digits
        }
    }

    /** A number as its text. */
    private static final class Spelled extends Number {
        private static final long serialVersionUID = 1;
        private final String text;

        Spelled(String text) {
            this.text = text;
        }

        @Override
        public int intValue() {
            return (int) doubleValue();
        }

        @Override
        public long longValue() {
            return (long) doubleValue();
        }

        @Override
        public float floatValue() {
            return Float.parseFloat(text);
        }

        @Override
        public double doubleValue() {
            return Double.parseDouble(text);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Spelled && text.equals(other.toString());
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static void write(StringBuilder out, Object value, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("the value is nested too deep, or contains itself");
        }
        String between = "";
        if (value instanceof Map<?, ?> members) {
            out.append('{');
            for (Map.Entry<?, ?> member : members.entrySet()) {
                quote(out.append(between), (String) member.getKey());
                write(out.append(':'), member.getValue(), depth + 1);
                between = ",";
            }
            out.append('}');
        } else if (value instanceof Iterable<?> elements) {
            out.append('[');
            for (Object element : elements) {
                write(out.append(between), element, depth + 1);
                between = ",";
            }
            out.append(']');
        } else if (value instanceof CharSequence said) {
            quote(out, said);
        } else if (value instanceof Number number && Double.isFinite(number.doubleValue())
                || value instanceof BigDecimal || value instanceof Spelled || value instanceof Boolean
                || value == null) {
            out.append(value);
        } else {
            throw new IllegalArgumentException("JSON has no " + value.getClass().getName());
        }
    }

    private static void quote(StringBuilder out, CharSequence text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1));
            if (pair) {
                out.append(c).append(text.charAt(++i));
            } else if (c < ' ' || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c == '"' || c == '\\' ? "\\" : "").append(c);
            }
        }
        out.append('"');
    }
}
