import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;

/**
 * Reads tests that are to share a process with the program, and says which they are, where notes go into their text, and
 * which literals of it can be altered so that a right program must fail. No candidate is here. One frame in, one out.
 */
public final class Plan {
    /** Why tests cannot be judged so. */
    static final class Problem extends RuntimeException {
        private static final long serialVersionUID = 1;

        Problem(String message) {
            super(message, null, false, false);
        }
    }

    private Plan() {}

    public static void main(String[] args) throws IOException {
        byte[] body;
        try (DataInputStream in = new DataInputStream(System.in)) {
            body = new byte[in.readInt()];
            in.readFully(body);
        }
        Map<?, ?> request = (Map<?, ?>) new AssayJson(new String(body, StandardCharsets.UTF_8)).value();
        Object answer;
        try {
            answer = planned((Map<?, ?>) request.get("files"));
        } catch (Problem problem) {
            answer = Map.of("problem", problem.getMessage());
        }
        byte[] text = AssayJson.of(answer).getBytes(StandardCharsets.UTF_8);
        try (DataOutputStream out = new DataOutputStream(System.out)) {
            out.writeInt(text.length);
            out.write(text);
        }
    }

    private static Object planned(Map<?, ?> files) throws IOException {
        TreeMap<String, String> sources = new TreeMap<>();
        files.forEach((path, text) -> {
            if (((String) path).endsWith(".java")) sources.put((String) path, (String) text);
        });
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((path, text) -> units.add(new Text(path, text)));
        JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, said, List.of("-proc:none"), null, units);
        List<CompilationUnitTree> trees = new ArrayList<>();
        task.parse().forEach(trees::add);
        for (Diagnostic<? extends JavaFileObject> each : said.getDiagnostics()) {
            if (each.getKind() != Diagnostic.Kind.ERROR) continue;
            String place = each.getSource() == null ? "" : each.getSource().getName() + ":" + each.getLineNumber() + ": ";
            return Map.of("broken", place + each.getMessage(Locale.ROOT));
        }
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        Suite suite = new Suite();
        for (CompilationUnitTree tree : trees) {
            String path = tree.getSourceFile().getName();
            suite.add(new TestFile(tree, path, sources.get(path), positions));
        }
        return suite.plan();
    }

    /** A file of the tests. */
    private static final class Text extends SimpleJavaFileObject {
        private final String path;
        private final String text;

        Text(String path, String text) {
            super(URI.create("text:///" + path.replaceAll("[^A-Za-z0-9_./-]", "_")), Kind.SOURCE);
            this.path = path;
            this.text = text;
        }

        @Override
        public String getName() {
            return path;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreErrors) {
            return text;
        }

        @Override
        public boolean isNameCompatible(String name, Kind kind) {
            return true;
        }
    }
}
