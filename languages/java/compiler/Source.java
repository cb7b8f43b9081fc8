import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import javax.tools.SimpleJavaFileObject;

/** The entry: a source file that may hold a public class of any name. */
final class Source extends SimpleJavaFileObject {
    private final Path path;
    private final Callable<byte[]> content;

    /** `path` is relative to the work folder, wherever the content comes from. */
    Source(Path path, Callable<byte[]> content) {
        super(Path.of("/work").resolve(path).toUri(), Kind.SOURCE);
        this.path = path;
        this.content = content;
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
        try {
            // Bytes that are not UTF-8 become replacement characters; javac itself only warns of them in comments.
            return new String(content.call(), StandardCharsets.UTF_8);
        } catch (IOException | RuntimeException error) {
            throw error;
        } catch (Exception error) {
            throw new IOException(error);
        }
    }
}
