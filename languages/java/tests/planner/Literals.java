import java.util.List;
import java.util.Set;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.tree.UnaryTree;

/** Which expressions stand for one value by their text alone, and what of them can be altered. */
final class Literals {
    /** These refuse two of the same: two elements, or two keys. */
    private static final String SET = "Set.of", MAP = "Map.of";
    /** What differs when one of the literals that it is made of does. */
    private static final Set<String> MAKERS = Set.of(
            "List.of", SET, MAP, "Map.entry", "Arrays.asList", "asList", "Optional.of",
            "Collections.singletonList", "Collections.singleton", "Integer.valueOf", "Long.valueOf", "Double.valueOf",
            "Boolean.valueOf", "Character.valueOf", "BigInteger.valueOf", "BigDecimal.valueOf", "OptionalInt.of",
            "OptionalLong.of");
    /** What the program defines may be equal whatever it is made of. */
    private static final Set<String> CLASSES = Set.of(
            "ArrayList", "LinkedList", "ArrayDeque", "HashSet", "LinkedHashSet", "TreeSet", "HashMap", "LinkedHashMap",
            "TreeMap", "Integer", "Long", "Double", "String", "BigInteger", "BigDecimal");

    private Literals() {}

    static boolean is(ExpressionTree tree) {
        return tree instanceof LiteralTree || parts(tree) != null && parts(tree).stream().allMatch(Literals::is);
    }

    /** Told of each literal that can be altered, of what kind it is, and which texts must not take its place. */
    interface Taker {
        void take(LiteralTree leaf, String kind, List<String> avoided);
    }

    static void leaves(ExpressionTree tree, Taker taker) {
        leaves(tree, List.of(), taker);
    }

    private static void leaves(ExpressionTree tree, List<String> avoided, Taker taker) {
        if (tree instanceof LiteralTree literal) {
            String kind = kindOf(literal);
            if (kind != null) taker.take(literal, kind, avoided);
            return;
        }
        List<? extends ExpressionTree> parts = parts(tree);
        if (parts == null) return;
        boolean isSet = isCall(tree, SET), isMap = isCall(tree, MAP);
        for (int at = 0; at < parts.size(); at++) {
            // Of a map the values are enough.
            if (isMap && at % 2 == 0) continue;
            if (!isSet) leaves(parts.get(at), avoided, taker);
            // One of several collections could become another, and that is told by no text of its literals.
            else if (parts.size() == 1 || parts.get(at) instanceof LiteralTree)
                leaves(parts.get(at), parts.stream().map(Object::toString).toList(), taker);
        }
    }

    private static boolean isCall(ExpressionTree tree, String name) {
        return tree instanceof MethodInvocationTree call && call.getMethodSelect().toString().equals(name);
    }

    /** Null for what is not made of literals. */
    private static List<? extends ExpressionTree> parts(ExpressionTree tree) {
        if (tree instanceof ParenthesizedTree inner) return List.of(inner.getExpression());
        if (tree instanceof TypeCastTree cast) return List.of(cast.getExpression());
        if (tree instanceof UnaryTree sign && sign.getKind() == Tree.Kind.UNARY_MINUS) return List.of(sign.getExpression());
        if (tree instanceof NewArrayTree array) return array.getInitializers();
        if (tree instanceof NewClassTree made) {
            String name = made.getIdentifier().toString().replaceAll("<.*>$", "");
            return made.getClassBody() == null && CLASSES.contains(name) ? made.getArguments() : null;
        }
        if (tree instanceof MethodInvocationTree call && MAKERS.contains(call.getMethodSelect().toString()))
            return call.getArguments();
        return null;
    }

    private static String kindOf(LiteralTree literal) {
        return switch (literal.getKind()) {
            case INT_LITERAL, LONG_LITERAL -> "integer";
            case FLOAT_LITERAL, DOUBLE_LITERAL -> "float";
            case BOOLEAN_LITERAL -> "bool";
            case CHAR_LITERAL -> "char";
            case STRING_LITERAL -> "string";
            default -> null;
        };
    }
}
