import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;

import com.sun.source.util.JavacTask;

/**
 * From a program to what its runs need: `main.jar` with the classes, and `main.args`, an argument file of the java
 * command that names the class to start. The same for a compiler of its own process and for one that is kept ready. No
 * annotation processor is run.
 */
record Build(byte[] jar, byte[] arguments) {
    private static final List<String> OPTIONS =
            List.of("-encoding", "UTF-8", "-proc:none", "-cp", ".", "-XDuseUnsharedTable=true");

    /**
     * Compiles. Null where the program has errors; what javac says is on `err`. `call` runs the task and tells whether
     * it ended without errors.
     */
    static Build of(
            JavaCompiler compiler, Source entry, JavaFileManager files, PrintWriter err, Predicate<JavacTask> call) {
        Output output = new Output(files);
        var task = (JavacTask) compiler.getTask(err, output, null, OPTIONS, null, List.of(entry));
        MainClass main = new MainClass(task.getElements(), entry.getName());
        task.addTaskListener(main);
        if (!call.test(task)) return null;
        String arguments = "-cp main.jar:.\n" + main.name() + "\n";
        return new Build(output.jar(), arguments.getBytes(StandardCharsets.UTF_8));
    }

    /** Keeps the classes in memory until they are one file. */
    private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, byte[]> classes = new TreeMap<>();

        Output(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new ClassFile(className, kind, classes);
        }

        /** Stored, not compressed: it is read many times and lives in memory anyway. */
        byte[] jar() {
            var bytes = new ByteArrayOutputStream();
            try (var zip = new ZipOutputStream(bytes)) {
                zip.setMethod(ZipOutputStream.STORED);
                for (var each : classes.entrySet()) write(zip, each.getKey(), each.getValue());
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
            return bytes.toByteArray();
        }

        private static void write(ZipOutputStream zip, String path, byte[] bytes) throws IOException {
            CRC32 crc = new CRC32();
            crc.update(bytes);
            ZipEntry item = new ZipEntry(path);
            item.setTime(0);
            item.setSize(bytes.length);
            item.setCrc(crc.getValue());
            zip.putNextEntry(item);
            zip.write(bytes);
            zip.closeEntry();
        }
    }

    private static final class ClassFile extends SimpleJavaFileObject {
        private final String path;
        private final Map<String, byte[]> classes;

        ClassFile(String className, Kind kind, Map<String, byte[]> classes) {
            super(URI.create("memory:///" + className.replace('.', '/')), kind);
            this.path = className.replace('.', '/') + kind.extension;
            this.classes = classes;
        }

        @Override
        public OutputStream openOutputStream() {
            return new ByteArrayOutputStream() {
                @Override
                public void close() {
                    classes.put(path, toByteArray());
                }
            };
        }
    }
}
