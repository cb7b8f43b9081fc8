import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.tools.ToolProvider;

import com.sun.source.util.JavacTask;

/**
 * The compile step of Java: `Compile ENTRY`, in the work folder. As `javac ENTRY` would, with three differences: the
 * public class of the entry may have any name; the classes go into `main.jar`; and the class to start is found and
 * written into `main.args`, so that a run needs to know nothing of the program.
 *
 * Trusted with nothing: it runs in the jail of the program that it compiles.
 */
public final class Compile {
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
        try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            Source source = new Source(entry, () -> Files.readAllBytes(entry));
            Build build = Build.of(compiler, source, files, err, JavacTask::call);
            if (build == null) return false;
            Files.write(Path.of("main.jar"), build.jar());
            Files.write(Path.of("main.args"), build.arguments());
            return true;
        }
    }
}
