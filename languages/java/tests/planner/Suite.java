import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.Tree;
import javax.lang.model.element.Modifier;

/** All tests: the methods of the classes of all files. */
final class Suite {
    private static final Set<String> TESTS = Set.of("Test", "ParameterizedTest", "RepeatedTest");
    /** What makes tests that only running the class would tell. */
    private static final Set<String> OPEN = Set.of("TestFactory", "TestTemplate", "Theory");
    private static final Set<String> ARGUMENTS = Set.of(
            "ValueSource", "CsvSource", "EnumSource", "MethodSource", "CsvFileSource", "ArgumentsSource", "NullSource",
            "EmptySource", "NullAndEmptySource", "FieldSource");

    private final List<TestFile> files = new ArrayList<>();
    private final List<Map<String, Object>> units = new ArrayList<>();
    private final List<String> classes = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private int assertions;

    void add(TestFile file) {
        assertions += file.number(assertions);
        files.add(file);
    }

    Map<String, Object> plan() {
        for (TestFile file : files) {
            String folder = file.tree.getPackageName() == null ? "" : file.tree.getPackageName() + ".";
            for (Tree type : file.tree.getTypeDecls()) {
                if (!(type instanceof ClassTree owner)) continue;
                int before = units.size();
                visit(file, owner, folder + owner.getSimpleName());
                if (units.size() > before) classes.add(folder + owner.getSimpleName());
            }
        }
        if (units.isEmpty()) throw new Plan.Problem("there are no tests in them");
        List<Map<String, Object>> splices = new ArrayList<>();
        for (TestFile file : files) splices.addAll(file.splices);
        return Map.of("units", units, "splices", splices, "args", classes);
    }

    private void visit(TestFile file, ClassTree owner, String name) {
        boolean isAbstract = owner.getModifiers().getFlags().contains(Modifier.ABSTRACT);
        List<MethodTree> tests = new ArrayList<>();
        for (Tree member : owner.getMembers()) {
            if (member instanceof MethodTree method && isTest(method, name)) tests.add(method);
        }
        if (!tests.isEmpty()) {
            if (annotation(owner.getModifiers(), "RunWith") != null)
                throw new Plan.Problem(name + " has a runner of its own");
            if (isAbstract) throw new Plan.Problem("what inherits the tests of " + name + " cannot be told");
            for (MethodTree test : tests) {
                String id = name + "." + test.getName();
                if (!ids.add(id)) throw new Plan.Problem("two tests are called " + id);
                units.add(new Finder(file, owner, test, rowsOf(test)).unit(id));
            }
        }
        for (Tree member : owner.getMembers()) {
            if (member instanceof ClassTree inner && annotation(inner.getModifiers(), "Nested") != null)
                visit(file, inner, name + "$" + inner.getSimpleName());
        }
    }

    private static boolean isTest(MethodTree method, String owner) {
        for (AnnotationTree each : method.getModifiers().getAnnotations()) {
            String name = nameOf(each);
            if (OPEN.contains(name)) throw new Plan.Problem(owner + "." + method.getName() + " makes tests when it is run");
            if (TESTS.contains(name)) return true;
        }
        return false;
    }

    static String nameOf(AnnotationTree annotation) {
        String whole = annotation.getAnnotationType().toString();
        return whole.substring(whole.lastIndexOf('.') + 1);
    }

    static AnnotationTree annotation(ModifiersTree modifiers, String name) {
        return modifiers.getAnnotations().stream().filter(each -> nameOf(each).equals(name)).findFirst().orElse(null);
    }

    /** How often a method is run, and with which literals; `count` is null where only running tells. */
    record Rows(boolean isTable, Integer count, List<? extends ExpressionTree> cells) {}

    private static Rows rowsOf(MethodTree method) {
        AnnotationTree repeated = annotation(method.getModifiers(), "RepeatedTest");
        if (repeated != null) {
            Integer count = repeated.getArguments().size() == 1
                            && valueOf(repeated) instanceof LiteralTree literal
                            && literal.getValue() instanceof Integer times
                    ? times
                    : null;
            return new Rows(true, count, List.of());
        }
        if (annotation(method.getModifiers(), "ParameterizedTest") == null) return new Rows(false, 1, List.of());
        List<? extends AnnotationTree> sources = method.getModifiers().getAnnotations().stream()
                .filter(each -> ARGUMENTS.contains(nameOf(each)))
                .toList();
        Rows open = new Rows(true, null, List.of());
        if (sources.size() != 1) return open;
        AnnotationTree source = sources.get(0);
        boolean isCsv = nameOf(source).equals("CsvSource");
        if (!isCsv && !nameOf(source).equals("ValueSource") || source.getArguments().size() != 1) return open;
        ExpressionTree value = valueOf(source);
        List<? extends ExpressionTree> cells =
                value instanceof NewArrayTree array ? array.getInitializers() : List.of(value);
        if (cells == null || !cells.stream().allMatch(Literals::is)) return open;
        if (isCsv && !isValue(source)) return open;
        return new Rows(true, cells.size(), isCsv ? cells : List.of());
    }

    private static boolean isValue(AnnotationTree annotation) {
        ExpressionTree only = annotation.getArguments().get(0);
        return !(only instanceof AssignmentTree assignment) || assignment.getVariable().toString().equals("value");
    }

    /** Of the one argument. */
    private static ExpressionTree valueOf(AnnotationTree annotation) {
        ExpressionTree only = annotation.getArguments().get(0);
        return only instanceof AssignmentTree assignment ? assignment.getExpression() : only;
    }
}
