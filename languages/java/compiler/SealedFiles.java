import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Set;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardLocation;

/**
 * What a compiler that is kept ready sees of files: the JDK's, and a class path on which nothing lies but the entry's own
 * name, as in a work folder that holds the entry alone. Where javac would open that file a second time (a name that no
 * class of it has), it is told nothing, and the compiler of an own process is to be asked.
 */
final class SealedFiles extends ForwardingJavaFileManager<JavaFileManager> {
    private final Listed listed;

    /** `stem` is the entry's name without its extension. */
    SealedFiles(JavaFileManager files, String stem) {
        super(files);
        this.listed = new Listed(stem);
    }

    /** Whether javac asked for what only a real folder can tell. */
    boolean isDoubtful() {
        return listed.isTouched;
    }

    @Override
    public Iterable<JavaFileObject> list(
            Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse) throws IOException {
        if (location != StandardLocation.CLASS_PATH) return super.list(location, packageName, kinds, recurse);
        boolean isShown = packageName.isEmpty() && kinds.contains(JavaFileObject.Kind.SOURCE);
        return isShown ? List.of(listed) : List.of();
    }

    @Override
    public String inferBinaryName(Location location, JavaFileObject file) {
        return file == listed ? listed.stem : super.inferBinaryName(location, file);
    }

    @Override
    public boolean isSameFile(FileObject a, FileObject b) {
        if (a == listed || b == listed) listed.isTouched = true;
        return super.isSameFile(a, b);
    }

    @Override
    public boolean contains(Location location, FileObject file) throws IOException {
        if (location != StandardLocation.CLASS_PATH) return super.contains(location, file);
        listed.isTouched = true;
        return false;
    }

    @Override
    public JavaFileObject getJavaFileForInput(Location location, String className, JavaFileObject.Kind kind)
            throws IOException {
        if (location != StandardLocation.CLASS_PATH) return super.getJavaFileForInput(location, className, kind);
        listed.isTouched = true;
        return null;
    }

    @Override
    public FileObject getFileForInput(Location location, String packageName, String relativeName) throws IOException {
        if (location != StandardLocation.CLASS_PATH) return super.getFileForInput(location, packageName, relativeName);
        listed.isTouched = true;
        return null;
    }

    /** Where javac looks for plug-ins, of which there are none. */
    @Override
    public ClassLoader getClassLoader(Location location) {
        return new ClassLoader(ClassLoader.getPlatformClassLoader()) {};
    }

    /** The entry as the class path shows it. */
    private static final class Listed extends SimpleJavaFileObject {
        private final String stem;
        private boolean isTouched;

        Listed(String stem) {
            super(URI.create("sealed:///" + stem + Kind.SOURCE.extension), Kind.SOURCE);
            this.stem = stem;
        }

        @Override
        public InputStream openInputStream() throws IOException {
            throw refusal();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) throws IOException {
            throw refusal();
        }

        @Override
        public long getLastModified() {
            isTouched = true;
            return 0;
        }

        private IOException refusal() {
            isTouched = true;
            return new IOException("not shown");
        }
    }
}
