import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

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
    /** What differs when one of the literals that it is made of does. */
    private static final Set<String> MAKERS = Set.of(
            "List.of", "Map.entry", "Arrays.asList", "asList", "Optional.of",
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

    /** What can be altered, with what it is. */
    static void leaves(ExpressionTree tree, BiConsumer<LiteralTree, String> give) {
        if (tree instanceof LiteralTree literal) {
            String kind = kindOf(literal);
            if (kind != null) give.accept(literal, kind);
            return;
        }
        List<? extends ExpressionTree> parts = parts(tree);
        if (parts != null) parts.forEach(each -> leaves(each, give));
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
