import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import com.sun.source.util.JavacTask;

/**
 * The compile step of Java: `Compile ENTRY`, in the work folder. As `javac ENTRY` would, with three differences: the
 * public class of the entry may have any name; the classes go into `main.jar`; and the class to start is found and
 * written into `main.args`, an argument file of the java command, so that a run needs to know nothing of the program.
 *
 * Trusted with nothing: it runs in the jail of the program that it compiles. No annotation processor is run.
 */
public final class Compile {
    private static final List<String> OPTIONS =
            List.of("-encoding", "UTF-8", "-proc:none", "-cp", ".", "-XDuseUnsharedTable=true");
    /** Exit codes as javac's: 1 for errors in the program, 2 for a wrong command line. */
    private static final int ERRORS = 1;
    private static final int USAGE = 2;

    private Compile() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: Compile ENTRY");
            System.exit(USAGE);
        }
        PrintWriter err = new PrintWriter(new OutputStreamWriter(System.err, StandardCharsets.UTF_8), true);
        boolean isGood = compile(Path.of(args[0]), err);
        err.flush();
        System.exit(isGood ? 0 : ERRORS);
    }

    private static boolean compile(Path entry, PrintWriter err) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var standard = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        try (Output output = new Output(standard)) {
            var units = List.of(new Source(entry));
            var task = (JavacTask) compiler.getTask(err, output, null, OPTIONS, null, units);
            MainClass main = new MainClass(task.getElements(), entry);
            task.addTaskListener(main);
            if (!task.call()) return false;
            output.writeJar(Path.of("main.jar"));
            Files.writeString(Path.of("main.args"), "-cp main.jar:.\n" + main.name() + "\n");
            return true;
        }
    }

    /** The entry: a source file that may hold a public class of any name. */
    private static final class Source extends SimpleJavaFileObject {
        private final Path path;

        Source(Path path) {
            super(path.toUri(), Kind.SOURCE);
            this.path = path;
        }

        /** What diagnostics print. */
        @Override
        public String getName() {
            return path.toString();
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return kind == Kind.SOURCE;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) throws IOException {
            // Bytes that are not UTF-8 become replacement characters; javac itself only warns of them in comments.
            return new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
        }
    }

    /** Keeps the classes in memory until they are written as one file. */
    private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, byte[]> classes = new TreeMap<>();

        Output(JavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new ClassFile(className, kind, classes);
        }

        /** Stored, not compressed: it is read many times and lives in memory anyway. */
        void writeJar(Path path) throws IOException {
            try (var zip = new ZipOutputStream(Files.newOutputStream(path))) {
                zip.setMethod(ZipOutputStream.STORED);
                for (var each : classes.entrySet()) {
                    byte[] bytes = each.getValue();
                    CRC32 crc = new CRC32();
                    crc.update(bytes);
                    ZipEntry item = new ZipEntry(each.getKey());
                    item.setTime(0);
                    item.setSize(bytes.length);
                    item.setCrc(crc.getValue());
                    zip.putNextEntry(item);
                    zip.write(bytes);
                    zip.closeEntry();
                }
            }
        }
    }

    private static final class ClassFile extends SimpleJavaFileObject {
        private final String path;
        private final Map<String, byte[]> classes;

        ClassFile(String className, Kind kind, Map<String, byte[]> classes) {
            super(java.net.URI.create("memory:///" + className.replace('.', '/')), kind);
            this.path = className.replace('.', '/') + kind.extension;
            this.classes = classes;
        }

        @Override
        public OutputStream openOutputStream() {
            return new java.io.ByteArrayOutputStream() {
                @Override
                public void close() {
                    classes.put(path, toByteArray());
                }
            };
        }
    }
}
