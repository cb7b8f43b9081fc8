import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import javax.tools.ToolProvider;

import com.sun.source.util.JavacTask;
import com.sun.tools.javac.api.JavacTaskImpl;
import com.sun.tools.javac.main.Main.Result;

/**
 * One compilation by a compiler that is kept ready, on a thread, with file manager and tables of its own: nothing of one
 * program is there when the next is compiled. An answer that a process of its own might not have given is none.
 */
final class CompileJob extends Thread {
    /** As the compile step's own. */
    private static final long STACK_BYTES = 64L << 20;

    private final Path entry;
    private final byte[] source;
    private final Said said;
    private Build build;
    private volatile boolean isSure;
    private volatile boolean hasFailed = true;

    /** `outputMax` is how much javac may say, bytes. */
    CompileJob(Path entry, byte[] source, long outputMax) {
        super(null, null, "compile", STACK_BYTES);
        setDaemon(true);
        this.entry = entry;
        this.source = source;
        this.said = new Said(outputMax);
    }

    /** Precondition of all that follows: the thread has ended. False: a process has to compile this. */
    boolean isSure() {
        return isSure && !said.isOver;
    }

    /** Whether the compiler itself failed. */
    boolean hasFailed() {
        return hasFailed;
    }

    /** Null where the program has errors. */
    Build build() {
        return build;
    }

    /** What javac said. */
    byte[] said() {
        return said.toByteArray();
    }

    @Override
    public void run() {
        try {
            compile();
        } catch (Throwable error) {
            // Of javac's own, or no stack: hasFailed stays true.
        }
    }

    private void compile() throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        String name = entry.toString();
        String stem = name.substring(0, name.length() - ".java".length());
        Result[] result = {Result.ABNORMAL};
        try (var standard = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            SealedFiles files = new SealedFiles(standard, stem);
            PrintWriter err = new PrintWriter(new OutputStreamWriter(said, StandardCharsets.UTF_8), true);
            build = Build.of(compiler, new Source(entry, () -> source), files, err, task -> {
                result[0] = call(task);
                return result[0] == Result.OK;
            });
            err.flush();
            // javac swallows an error of its own once the program has one (JavacTaskImpl), and only this tells.
            hasFailed = result[0] != Result.OK && result[0] != Result.ERROR;
            isSure = !hasFailed && !files.isDoubtful();
        }
    }

    private static Result call(JavacTask task) {
        return ((JavacTaskImpl) task).doCall();
    }

    /** Keeps at most so many bytes, and whether there were more. */
    private static final class Said extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final long max;
        private boolean isOver;

        Said(long max) {
            this.max = max;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) {
            isOver |= bytes.size() + (long) length > max;
            if (!isOver) bytes.write(from, offset, length);
        }

        byte[] toByteArray() {
            return bytes.toByteArray();
        }
    }
}
