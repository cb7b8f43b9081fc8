// Calls what a program defines: {"args": […]} on stdin, the result as JSON in the last line of stdout. Whatever the program
// prints goes where its errors go. What it forges here it could as well have returned.
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

public class Main {
    public static void main(String[] args) throws Throwable {
        PrintStream out = System.out;
        String input = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        System.setOut(System.err);
        Map<?, ?> request = (Map<?, ?>) new AssayJson(input).value();
        List<?> values = (List<?>) request.get("args");
        Object result;
        try {
            result = call(__TYPE__.class, "__METHOD__", values);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        StringBuilder text = new StringBuilder("\n");
        write(text, result);
        out.println(text);
        out.flush();
        System.exit(0);
    }

    private static Object call(Class<?> owner, String name, List<?> values) throws Throwable {
        for (Method method : owner.getDeclaredMethods()) {
            if (!method.getName().equals(name) || method.getParameterCount() != values.size()) continue;
            Type[] types = method.getGenericParameterTypes();
            Object[] arguments = new Object[types.length];
            for (int i = 0; i < types.length; i++) arguments[i] = to(types[i], values.get(i));
            method.setAccessible(true);
            return method.invoke(Modifier.isStatic(method.getModifiers()) ? null : made(owner), arguments);
        }
        throw new NoSuchMethodException(owner.getName() + "." + name + " with " + values.size() + " arguments");
    }

    private static Object made(Class<?> type) throws ReflectiveOperationException {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    private static Object to(Type type, Object value) {
        if (value == null) return null;
        if (type instanceof ParameterizedType generic) return toGeneric(generic, value);
        Class<?> kind = (Class<?>) type;
        if (kind.isArray()) return toArray(kind.getComponentType(), (List<?>) value);
        if (value instanceof BigDecimal number) return toNumber(kind, number);
        if (kind == char.class || kind == Character.class) return ((String) value).charAt(0);
        return value;
    }

    private static Object toNumber(Class<?> kind, BigDecimal number) {
        if (kind == int.class || kind == Integer.class) return number.intValueExact();
        if (kind == long.class || kind == Long.class) return number.longValueExact();
        if (kind == double.class || kind == Double.class) return number.doubleValue();
        if (kind == float.class || kind == Float.class) return number.floatValue();
        if (kind == short.class || kind == Short.class) return number.shortValueExact();
        if (kind == byte.class || kind == Byte.class) return number.byteValueExact();
        if (kind == BigInteger.class) return number.toBigIntegerExact();
        return number;
    }

    private static Object toArray(Class<?> component, List<?> values) {
        Object array = Array.newInstance(component, values.size());
        for (int i = 0; i < values.size(); i++) Array.set(array, i, to(component, values.get(i)));
        return array;
    }

    private static Object toGeneric(ParameterizedType type, Object value) {
        Type[] of = type.getActualTypeArguments();
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> made = new LinkedHashMap<>();
            for (Map.Entry<?, ?> each : map.entrySet()) made.put(toKey(of[0], (String) each.getKey()), to(of[1], each.getValue()));
            return made;
        }
        Collection<Object> made = Set.class.isAssignableFrom((Class<?>) type.getRawType()) ? new HashSet<>() : new ArrayList<>();
        for (Object each : (List<?>) value) made.add(to(of[0], each));
        return made;
    }

    private static Object toKey(Type type, String text) {
        return type == String.class ? text : to(type, new BigDecimal(text));
    }

    private static void write(StringBuilder out, Object value) {
        if (value == null) out.append("null");
        else if (value instanceof Double || value instanceof Float) {
            if (!Double.isFinite(((Number) value).doubleValue())) throw new IllegalArgumentException("a result that is no number");
            out.append(value);
        } else if (value instanceof Number || value instanceof Boolean) out.append(value);
        else if (value instanceof CharSequence || value instanceof Character) AssayJson.quote(out, value.toString());
        else if (value.getClass().isArray()) {
            out.append('[');
            for (int i = 0; i < Array.getLength(value); i++) {
                if (i > 0) out.append(',');
                write(out, Array.get(value, i));
            }
            out.append(']');
        } else if (value instanceof Collection<?> list) write(out, list.toArray());
        else if (value instanceof Map<?, ?> map) {
            String between = "{";
            if (map.isEmpty()) out.append(between);
            for (Map.Entry<?, ?> each : map.entrySet()) {
                out.append(between);
                AssayJson.quote(out, String.valueOf(each.getKey()));
                out.append(':');
                write(out, each.getValue());
                between = ",";
            }
            out.append('}');
        } else throw new IllegalArgumentException("a result that JSON does not have");
    }
}
