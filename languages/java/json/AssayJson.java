import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, texts, BigDecimals, booleans and null: for the main that calls a program, and for what reads tests. */
final class AssayJson {
    private final String text;
    private int at;

    AssayJson(String text) {
        this.text = text;
    }

    Object value() {
        char c = blank();
        if (c == '{') return object();
        if (c == '[') return list();
        if (c == '"') return quoted();
        int from = at;
        while (at < text.length() && "+-.0123456789aeEflnrstu".indexOf(text.charAt(at)) >= 0) at++;
        String word = text.substring(from, at);
        if (word.equals("null")) return null;
        return word.equals("true") || word.equals("false") ? (Object) Boolean.valueOf(word) : new BigDecimal(word);
    }

    private char blank() {
        while (Character.isWhitespace(text.charAt(at))) at++;
        return text.charAt(at);
    }

    private boolean next(char closing) {
        char c = blank();
        if (c == closing || c == ',') at++;
        return c != closing;
    }

    private List<Object> list() {
        List<Object> made = new ArrayList<>();
        for (at++; next(']');) made.add(value());
        return made;
    }

    private Map<String, Object> object() {
        Map<String, Object> made = new LinkedHashMap<>();
        for (at++; next('}');) {
            blank();
            String name = quoted();
            blank();
            at++;
            made.put(name, value());
        }
        return made;
    }

    private String quoted() {
        StringBuilder made = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            if (c != '\\') {
                made.append(c);
                continue;
            }
            c = text.charAt(++at);
            int known = "nrtbf".indexOf(c);
            if (known >= 0) made.append("\n\r\t\b\f".charAt(known));
            else if (c != 'u') made.append(c);
            else {
                made.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                at += 4;
            }
        }
        at++;
        return made.toString();
    }

    /** Of maps, lists, texts, numbers, booleans and null. */
    static String of(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, Object value) {
        if (value instanceof Map<?, ?> map) {
            String between = "{";
            if (map.isEmpty()) out.append(between);
            for (Map.Entry<?, ?> each : map.entrySet()) {
                out.append(between);
                quote(out, (String) each.getKey());
                out.append(':');
                write(out, each.getValue());
                between = ",";
            }
            out.append('}');
        } else if (value instanceof List<?> list) {
            String between = "[";
            if (list.isEmpty()) out.append(between);
            for (Object each : list) {
                out.append(between);
                write(out, each);
                between = ",";
            }
            out.append(']');
        } else if (value instanceof String text) {
            quote(out, text);
        } else {
            out.append(value);
        }
    }

    static void quote(StringBuilder out, String text) {
        out.append('"');
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < 0x20 || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        out.append('"');
    }
}
