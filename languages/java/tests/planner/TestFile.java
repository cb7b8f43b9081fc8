import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import com.sun.source.tree.AssertTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;

/** One file of tests: its tree, its assertions by number, and where its bytes are. */
final class TestFile {
    final CompilationUnitTree tree;
    final String piece;
    /** Whether its assertions take a message behind what they compare, as Jupiter's do, and not in front. */
    final boolean isJupiter;
    final Map<StatementTree, Integer> numbers = new IdentityHashMap<>();
    final List<Map<String, Object>> splices = new ArrayList<>();
    private final String text;
    private final SourcePositions positions;
    /** Bytes in front of each character. */
    private final int[] bytes;

    TestFile(CompilationUnitTree tree, String path, String text, SourcePositions positions) {
        this.tree = tree;
        this.text = text;
        this.piece = "files/" + path;
        this.positions = positions;
        this.bytes = new int[text.length() + 1];
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            // Half of a character of four bytes each.
            int size = Character.isSurrogate(c) ? 2 : String.valueOf(c).getBytes(StandardCharsets.UTF_8).length;
            bytes[at + 1] = bytes[at] + size;
        }
        this.isJupiter = tree.getImports().stream()
                .anyMatch(each -> each.getQualifiedIdentifier().toString().startsWith("org.junit.jupiter"));
    }

    int start(Tree node) {
        return bytes[(int) positions.getStartPosition(tree, node)];
    }

    int end(Tree node) {
        return bytes[(int) positions.getEndPosition(tree, node)];
    }

    String source(Tree node) {
        return text.substring(
                (int) positions.getStartPosition(tree, node), (int) positions.getEndPosition(tree, node));
    }

    void put(int at, String put) {
        splices.add(Map.of("piece", piece, "start", at, "end", at, "text", put));
    }

    /** Numbers the assertions from `first`, and has each note how it went. How many there are. */
    int number(int first) {
        new Numbering(first).scan(tree, null);
        return numbers.size();
    }

    /** The last name of what is called, or "". */
    static String called(Tree node) {
        if (!(node instanceof MethodInvocationTree call)) return "";
        ExpressionTree method = call.getMethodSelect();
        if (method instanceof MemberSelectTree member) return member.getIdentifier().toString();
        return method instanceof IdentifierTree name ? name.getName().toString() : "";
    }

    static boolean isAssertion(Tree node) {
        return called(node).startsWith("assert");
    }

    /**
     * One that failed does not end its test, so that all of them are tried, unless somebody around it waits for the failure
     * itself.
     */
    private final class Numbering extends TreeScanner<Void, Void> {
        private int next;
        private int waiting;

        Numbering(int first) {
            this.next = first;
        }

        @Override
        public Void visitExpressionStatement(ExpressionStatementTree node, Void none) {
            if (isAssertion(node.getExpression())) note(node);
            return super.visitExpressionStatement(node, none);
        }

        @Override
        public Void visitAssert(AssertTree node, Void none) {
            note(node);
            return super.visitAssert(node, none);
        }

        /** What an assertion returns is used behind it: it ends its test. */
        @Override
        public Void visitVariable(VariableTree node, Void none) {
            if (node.getInitializer() != null && isAssertion(node.getInitializer())) {
                numbers.put(node, next);
                put(end(node), " assay_harness.Note.pass(" + next + ");");
                next += 1;
            }
            return super.visitVariable(node, none);
        }

        private void note(StatementTree node) {
            numbers.put(node, next);
            String passed = " assay_harness.Note.pass(" + next + "); }";
            String failed = " catch (Throwable assayThrown) { assay_harness.Note.fail(" + next + ", assayThrown); }";
            put(start(node), waiting > 0 ? "{ " : "try { ");
            put(end(node), waiting > 0 ? passed : passed + failed);
            next += 1;
        }

        @Override
        public Void visitTry(TryTree node, Void none) {
            boolean waits = !node.getCatches().isEmpty();
            scan(node.getResources(), none);
            if (waits) waiting += 1;
            scan(node.getBlock(), none);
            if (waits) waiting -= 1;
            scan(node.getCatches(), none);
            return scan(node.getFinallyBlock(), none);
        }

        @Override
        public Void visitLambdaExpression(LambdaExpressionTree node, Void none) {
            waiting += 1;
            super.visitLambdaExpression(node, none);
            waiting -= 1;
            return none;
        }

        @Override
        public Void visitClass(ClassTree node, Void none) {
            int before = waiting;
            waiting = 0;
            super.visitClass(node, none);
            waiting = before;
            return none;
        }
    }

    /** Whether a statement may leave what it is in. */
    static boolean leaves(Tree statement) {
        boolean[] found = {false};
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitReturn(com.sun.source.tree.ReturnTree node, Void none) {
                found[0] = true;
                return none;
            }

            @Override
            public Void visitThrow(com.sun.source.tree.ThrowTree node, Void none) {
                found[0] = true;
                return none;
            }

            @Override
            public Void visitLambdaExpression(LambdaExpressionTree node, Void none) {
                return none;
            }

            @Override
            public Void visitClass(ClassTree node, Void none) {
                return none;
            }
        }.scan(statement, null);
        return found[0];
    }

    static List<? extends StatementTree> statements(BlockTree block) {
        return block == null ? List.of() : block.getStatements();
    }
}
