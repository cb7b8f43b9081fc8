import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Builds a program with its tests, in the work folder of a jail: TestBuild LIBRARIES COUNT. The program's files lie in
 * `program`, each variant of the tests in `tests/N`; leaves `tests-N.jar`. Nothing of either is executed: there are no
 * annotation processors, and the libraries come first on the class path.
 */
public final class TestBuild {
    private static final List<String> OPTIONS =
            List.of("-encoding", "UTF-8", "-proc:none", "-implicit:none", "-nowarn", "-parameters", "-g:source,lines");
    /** Packages whose classes are the libraries' alone. */
    private static final List<String> RESERVED =
            List.of("org/junit/", "junit/", "org/hamcrest/", "org/opentest4j/", "org/apiguardian/", "assay_harness/");

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final String libraries;

    private TestBuild(String libraries) {
        this.libraries = libraries;
    }

    public static void main(String[] args) throws IOException {
        boolean isGood = new TestBuild(args[0]).build(Integer.parseInt(args[1]));
        System.exit(isGood ? 0 : 1);
    }

    private boolean build(int count) throws IOException {
        Path own = Path.of("classes/program");
        Files.createDirectories(own);
        List<Path> sources = sourcesIn(Path.of("program"));
        if (!sources.isEmpty() && !compile(sources, own, libraries, true)) return false;
        for (Path each : filesIn(own)) {
            String name = own.relativize(each).toString();
            if (RESERVED.stream().anyMatch(name::startsWith)) {
                System.err.println("error: the program has a class of the test runner's: " + name);
                return false;
            }
        }
        for (int n = 0; n < count; n++) {
            Path tests = Path.of("classes/tests-" + n);
            Files.createDirectories(tests);
            String path = libraries + ":" + own;
            if (!compile(sourcesIn(Path.of("tests/" + n)), tests, path, false)) return false;
            jar(Path.of("tests-" + n + ".jar"), List.of(own, tests));
        }
        return true;
    }

    /** What is said of tests quotes none of their lines. */
    private boolean compile(List<Path> sources, Path into, String classPath, boolean isQuoted) throws IOException {
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(List.of("-cp", classPath, "-sourcepath", "classes/none", "-d", into.toString()));
        List<Source> units = sources.stream().map(Source::new).toList();
        boolean isGood;
        try (StandardJavaFileManager files = compiler.getStandardFileManager(said, null, StandardCharsets.UTF_8)) {
            isGood = compiler.getTask(null, files, said, options, null, units).call();
        }
        for (Diagnostic<? extends JavaFileObject> each : said.getDiagnostics()) {
            if (each.getKind() != Diagnostic.Kind.ERROR) continue;
            String place = each.getSource() == null ? "" : each.getSource().getName() + ":" + each.getLineNumber() + ": ";
            System.err.println(isQuoted ? each : place + "error: " + each.getMessage(Locale.ROOT));
        }
        return isGood;
    }

    private static List<Path> sourcesIn(Path folder) throws IOException {
        return filesIn(folder).stream().filter(path -> path.toString().endsWith(".java")).toList();
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) return List.of();
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Of equal names the last folder's counts. */
    private static void jar(Path target, List<Path> folders) throws IOException {
        TreeMap<String, Path> entries = new TreeMap<>();
        for (Path folder : folders) {
            for (Path each : filesIn(folder)) entries.put(folder.relativize(each).toString(), each);
        }
        try (OutputStream out = Files.newOutputStream(target); ZipOutputStream zip = new ZipOutputStream(out)) {
            for (var each : entries.entrySet()) {
                byte[] bytes = Files.readAllBytes(each.getValue());
                CRC32 sum = new CRC32();
                sum.update(bytes);
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(bytes.length);
                entry.setCrc(sum.getValue());
                entry.setTime(0);
                zip.putNextEntry(entry);
                zip.write(bytes);
            }
        }
    }

    /** A file, whatever the classes in it are called. */
    private static final class Source extends SimpleJavaFileObject {
        private final Path path;

        Source(Path path) {
            super(path.toUri(), Kind.SOURCE);
            this.path = path;
        }

        @Override
        public String getName() {
            return path.toString();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreErrors) throws IOException {
            return new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
        }

        @Override
        public boolean isNameCompatible(String name, Kind kind) {
            return kind == Kind.SOURCE && !name.equals("module-info");
        }
    }
}
