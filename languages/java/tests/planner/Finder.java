import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.sun.source.tree.AssertTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;

/** Of one test what is sure to be reached, and the literals that it compares with. */
final class Finder {
    private static final int SITES_MAX = 400;
    private static final int LEAVES_MAX = 6;
    private static final Set<String> EXACT = Set.of("assertEquals", "assertArrayEquals", "assertIterableEquals");
    /** Of these no program raises one where another class is expected. */
    private static final List<String> ERRORS =
            List.of("java.nio.BufferOverflowException", "java.util.EmptyStackException", "java.util.MissingResourceException");
    private static final Map<String, String> KINDS = new HashMap<>();

    static {
        for (String each : List.of("byte", "short", "int", "long", "Byte", "Short", "Integer", "Long")) KINDS.put(each, "integer");
        for (String each : List.of("float", "double", "Float", "Double")) KINDS.put(each, "float");
        for (String each : List.of("boolean", "Boolean")) KINDS.put(each, "bool");
        KINDS.put("String", "text");
    }

    /** What is compared, and within which tolerance, or null. */
    private record Target(ExpressionTree tree, Double near) {}

    /** The literal that a variable gets once and for all. */
    private record Known(ExpressionTree value) {}

    private final TestFile file;
    private final MethodTree test;
    private final Suite.Rows rows;
    private final Map<String, MethodTree> helpers = new HashMap<>();
    private final Map<String, Known> known = new HashMap<>();
    private final Map<String, Integer> loads = new HashMap<>();
    private final Set<Integer> sure = new LinkedHashSet<>();
    private final List<Map<String, Object>> sites = new ArrayList<>();
    private int calls;

    Finder(TestFile file, ClassTree owner, MethodTree test, Suite.Rows rows) {
        this.file = file;
        this.test = test;
        this.rows = rows;
        for (Tree member : owner.getMembers()) {
            if (member instanceof MethodTree method && method != test) {
                // One of two with the same name may be meant.
                String name = method.getName().toString();
                helpers.put(name, helpers.containsKey(name) ? null : method);
            }
        }
        new Uses().scan(test.getBody(), null);
    }

    Map<String, Object> unit(String id) {
        walk(test.getBody());
        Map<String, Object> unit = new LinkedHashMap<>();
        unit.put("id", id);
        unit.put("piece", file.piece);
        unit.put("has_rows", rows.isTable());
        unit.put("rows", rows.count());
        unit.put("shown", false);
        unit.put("sure", List.copyOf(sure));
        unit.put("sites", sites.subList(0, Math.min(sites.size(), SITES_MAX)));
        return unit;
    }

    /** Variables of the test: what they get, and how often they are read. */
    private final class Uses extends TreeScanner<Void, Void> {
        @Override
        public Void visitVariable(VariableTree node, Void none) {
            String name = node.getName().toString();
            boolean isAgain = known.containsKey(name);
            known.put(name, isAgain || node.getInitializer() == null ? null : new Known(node.getInitializer()));
            return super.visitVariable(node, none);
        }

        @Override
        public Void visitIdentifier(IdentifierTree node, Void none) {
            loads.merge(node.getName().toString(), 1, Integer::sum);
            return none;
        }

        @Override
        public Void visitAssignment(AssignmentTree node, Void none) {
            known.put(node.getVariable().toString(), null);
            return super.visitAssignment(node, none);
        }

        @Override
        public Void visitCompoundAssignment(CompoundAssignmentTree node, Void none) {
            known.put(node.getVariable().toString(), null);
            return super.visitCompoundAssignment(node, none);
        }

        @Override
        public Void visitUnary(UnaryTree node, Void none) {
            switch (node.getKind()) {
                case PREFIX_INCREMENT, PREFIX_DECREMENT, POSTFIX_INCREMENT, POSTFIX_DECREMENT ->
                    known.put(node.getExpression().toString(), null);
                default -> {}
            }
            return super.visitUnary(node, none);
        }
    }

    /** Goes through what is reached when nothing before it fails; false: what comes behind is not sure to be. */
    private boolean walk(BlockTree block) {
        for (StatementTree statement : TestFile.statements(block)) {
            Integer number = file.numbers.get(statement);
            if (number != null) {
                sure.add(number);
                if (statement instanceof AssertTree each) asTrue(number, each.getCondition());
                if (statement instanceof ExpressionStatementTree each) assertion(number, (MethodInvocationTree) each.getExpression());
            } else if (statement instanceof ReturnTree || statement instanceof ThrowTree) {
                return false;
            } else if (statement instanceof ExpressionStatementTree each) {
                if (each.getExpression() instanceof MethodInvocationTree call) helper(call);
            } else if (statement instanceof BlockTree each) {
                if (!walk(each)) return false;
            } else if (statement instanceof TryTree each && each.getCatches().isEmpty()) {
                if (!walk(each.getBlock())) return false;
            } else if (TestFile.leaves(statement)) {
                return false;
            }
        }
        return true;
    }

    /** A method of the class that compares two of its parameters in its one assertion. */
    private void helper(MethodInvocationTree call) {
        MethodTree method = helpers.get(TestFile.called(call));
        if (method == null || method.getParameters().size() != call.getArguments().size()) return;
        calls += 1;
        for (StatementTree statement : TestFile.statements(method.getBody())) {
            Integer number = file.numbers.get(statement);
            if (number == null) {
                if (TestFile.leaves(statement)) return;
                continue;
            }
            if (!(statement instanceof ExpressionStatementTree each)) return;
            MethodInvocationTree assertion = (MethodInvocationTree) each.getExpression();
            sure.add(number);
            if (!EXACT.contains(TestFile.called(assertion))) return;
            for (Target target : compared(assertion)) {
                for (int at = 0; at < method.getParameters().size(); at++) {
                    if (!method.getParameters().get(at).getName().contentEquals(target.tree().toString())) continue;
                    resolve(number, new Target(call.getArguments().get(at), target.near()), calls);
                }
            }
            return;
        }
    }

    private void assertion(int number, MethodInvocationTree call) {
        List<? extends ExpressionTree> arguments = call.getArguments();
        String name = TestFile.called(call);
        if (EXACT.contains(name)) {
            for (Target each : compared(call)) resolve(number, each, null);
        } else if (name.equals("assertTrue") || name.equals("assertFalse")) {
            ExpressionTree condition = firstOf(arguments);
            if (condition == null) return;
            if (name.equals("assertTrue")) asTrue(number, condition);
            else asFalse(number, condition);
        } else if (name.equals("assertNull") || name.equals("assertNotNull")) {
            ExpressionTree value = firstOf(arguments);
            if (value != null) text(number, "value", value, "assay_harness.Note.other(" + file.source(value) + ")");
        } else if (name.startsWith("assertThrows") && !arguments.isEmpty()) {
            if (!(arguments.get(0) instanceof MemberSelectTree type) || !type.getIdentifier().contentEquals("class")) return;
            String expected = type.getExpression().toString();
            List<String> others = ERRORS.stream().filter(each -> !each.endsWith("." + expected)).toList();
            site(number, "error", type.getExpression(), "", others.subList(0, 2), null, null, null);
        } else if (name.equals("assertAll")) {
            for (ExpressionTree each : arguments) {
                Tree body = each instanceof LambdaExpressionTree lambda ? lambda.getBody() : null;
                if (body instanceof MethodInvocationTree inner && TestFile.isAssertion(inner)) assertion(number, inner);
            }
        } else if (name.equals("assertThat") && arguments.size() >= 2) {
            ExpressionTree matcher = arguments.get(arguments.size() - 1);
            boolean isEqual = List.of("is", "equalTo").contains(TestFile.called(matcher));
            List<? extends ExpressionTree> inner =
                    isEqual ? ((MethodInvocationTree) matcher).getArguments() : List.<ExpressionTree>of();
            if (inner.size() == 1) resolve(number, new Target(inner.get(0), null), null);
        }
    }

    /** Without the message. */
    private ExpressionTree firstOf(List<? extends ExpressionTree> arguments) {
        if (arguments.isEmpty()) return null;
        return arguments.get(file.isJupiter || arguments.size() == 1 ? 0 : 1);
    }

    /** What an assertion of equality compares; nothing where its tolerance is not told by its text. */
    private List<Target> compared(MethodInvocationTree call) {
        List<? extends ExpressionTree> arguments = call.getArguments();
        boolean isFirst = !file.isJupiter && arguments.size() > 2 && (arguments.size() > 3 || isText(arguments.get(0)));
        List<? extends ExpressionTree> compared = isFirst ? arguments.subList(1, arguments.size()) : arguments;
        if (compared.size() < 2) return List.of();
        Double near = null;
        if (compared.size() > 2 && !isText(compared.get(2))) {
            near = numberOf(compared.get(2));
            // A message that is made elsewhere, or a tolerance.
            if (near == null) return List.of();
        }
        return List.of(new Target(compared.get(0), near), new Target(compared.get(1), near));
    }

    private static boolean isText(ExpressionTree tree) {
        if (tree instanceof BinaryTree sum) return isText(sum.getLeftOperand()) || isText(sum.getRightOperand());
        return tree instanceof LambdaExpressionTree
                || tree instanceof LiteralTree literal && literal.getValue() instanceof String
                || TestFile.called(tree).equals("format");
    }

    private Double numberOf(ExpressionTree tree) {
        if (tree instanceof LiteralTree literal && literal.getValue() instanceof Number number) return number.doubleValue();
        if (tree instanceof IdentifierTree name && known.get(name.getName().toString()) != null)
            return numberOf(known.get(name.getName().toString()).value());
        return null;
    }

    private void asTrue(int number, ExpressionTree condition) {
        if (condition instanceof ParenthesizedTree inner) {
            asTrue(number, inner.getExpression());
        } else if (condition instanceof BinaryTree pair) {
            switch (pair.getKind()) {
                case CONDITIONAL_AND -> {
                    asTrue(number, pair.getLeftOperand());
                    asTrue(number, pair.getRightOperand());
                }
                case EQUAL_TO -> both(number, pair.getLeftOperand(), pair.getRightOperand());
                case LESS_THAN, LESS_THAN_EQUAL -> distance(number, pair.getLeftOperand(), pair.getRightOperand());
                default -> turned(number, condition);
            }
        } else if (condition instanceof MethodInvocationTree call && TestFile.called(call).equals("equals")) {
            List<? extends ExpressionTree> arguments = call.getArguments();
            if (arguments.size() == 2) both(number, arguments.get(0), arguments.get(1));
            if (arguments.size() == 1 && call.getMethodSelect() instanceof MemberSelectTree member)
                both(number, member.getExpression(), arguments.get(0));
        } else {
            turned(number, condition);
        }
    }

    private void asFalse(int number, ExpressionTree condition) {
        if (condition instanceof BinaryTree pair && pair.getKind() == Tree.Kind.NOT_EQUAL_TO) {
            both(number, pair.getLeftOperand(), pair.getRightOperand());
        } else {
            turned(number, condition);
        }
    }

    private void both(int number, ExpressionTree left, ExpressionTree right) {
        resolve(number, new Target(left, null), null);
        resolve(number, new Target(right, null), null);
    }

    /** `Math.abs(a - b) < tolerance`. */
    private void distance(int number, ExpressionTree of, ExpressionTree than) {
        Double near = numberOf(than);
        if (near == null || !(of instanceof MethodInvocationTree call) || !TestFile.called(call).equals("abs")) return;
        if (call.getArguments().size() != 1 || !(call.getArguments().get(0) instanceof BinaryTree pair)) return;
        if (pair.getKind() != Tree.Kind.MINUS) return;
        resolve(number, new Target(pair.getLeftOperand(), near), null);
        resolve(number, new Target(pair.getRightOperand(), near), null);
    }

    /** What an object of the program's says of its being equal is no value. */
    private void turned(int number, ExpressionTree condition) {
        String source = file.source(condition);
        boolean isAsked = source.contains("quals(") || source.contains("contains") || source.contains("compare");
        text(number, isAsked ? "truth" : "value", condition, "!(" + source + ")");
    }

    private void text(int number, String kind, ExpressionTree tree, String text) {
        site(number, kind, tree, "", List.of(text), null, null, null);
    }

    private void resolve(int number, Target target, Integer cell) {
        ExpressionTree tree = target.tree();
        if (tree instanceof IdentifierTree identifier) {
            String name = identifier.getName().toString();
            if (loads.getOrDefault(name, 0) != 1) return;
            Known value = known.get(name);
            if (value != null) literal(number, value.value(), target.near(), cell);
            else if (!known.containsKey(name)) column(number, name, target.near());
        } else {
            literal(number, tree, target.near(), cell);
        }
    }

    private void literal(int number, ExpressionTree tree, Double near, Integer cell) {
        if (!Literals.is(tree)) return;
        int[] count = {0};
        Literals.leaves(tree, (leaf, kind, avoided) -> {
            boolean isNumber = kind.equals("integer") || kind.equals("float");
            if (++count[0] > LEAVES_MAX || near != null && !isNumber) return;
            site(number, "value", leaf, kind, List.of(), near, null, cell);
            sites.get(sites.size() - 1).put("avoided", avoided);
        });
    }

    /** The column of a parameter in a table of lines; each row is a result of its own. */
    private void column(int number, String name, Double near) {
        int at = 0;
        for (VariableTree parameter : test.getParameters()) {
            if (parameter.getName().contentEquals(name)) break;
            at += 1;
        }
        if (at == test.getParameters().size()) return;
        String kind = KINDS.get(test.getParameters().get(at).getType().toString());
        if (kind == null) return;
        for (int row = 0; row < rows.cells().size(); row++) {
            ExpressionTree cell = rows.cells().get(row);
            String source = file.source(cell);
            boolean isPlain = source.startsWith("\"") && !source.startsWith("\"\"\"") && source.chars().noneMatch(c -> c == '\\' || c == '\'' || c > 126);
            if (!isPlain) continue;
            String[] parts = source.substring(1, source.length() - 1).split(",", -1);
            if (at >= parts.length) continue;
            int start = file.start(cell) + 1 + String.join(",", Arrays.copyOf(parts, at)).length() + (at > 0 ? 1 : 0);
            String part = parts[at];
            start += part.length() - part.stripLeading().length();
            String value = part.strip();
            if (kind.equals("integer") || kind.equals("float")) {
                if (value.startsWith("-")) {
                    value = value.substring(1);
                    start += 1;
                }
            }
            if (kind.equals("bool") && !value.equals("true") && !value.equals("false")) continue;
            if (!value.isEmpty()) add(number, "value", start, start + value.length(), kind, List.of(), near, row, null);
        }
    }

    private void site(
            int number, String kind, Tree tree, String literal, List<String> texts, Double near, Integer row, Integer cell) {
        add(number, kind, file.start(tree), file.end(tree), literal, texts, near, row, cell);
    }

    private void add(
            int number, String kind, int start, int end, String literal, List<String> texts, Double near, Integer row, Integer cell) {
        Map<String, Object> site = new LinkedHashMap<>();
        site.put("at", number);
        site.put("kind", kind);
        site.put("start", start);
        site.put("end", end);
        site.put("literal", literal);
        site.put("texts", texts);
        site.put("row", row);
        site.put("cell", cell);
        site.put("near", near == null ? null : Map.of("abs", near));
        sites.add(site);
    }
}
