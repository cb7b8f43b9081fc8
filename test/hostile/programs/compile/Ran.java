// How: a plug-in of the compiler's, which javac loads and starts by itself: looks for the host's files, for the network, and
// leaves a file and a daemon that is deaf to signals.
// Expected: it runs, and is contained as any run is; nothing of it is there when the program runs.
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import com.sun.source.util.JavacTask;
import com.sun.source.util.Plugin;

public class Ran implements Plugin {
    public String getName() {
        return "Ran";
    }

    public boolean autoStart() {
        return true;
    }

    public void init(JavacTask task, String... args) {
        for (String path : new String[] {"/etc/shadow", "/proc/1/environ", "/proc/1/mem", "/sys/kernel"})
            attempt(path, () -> Files.newInputStream(Path.of(path)).read());
        attempt("write", () -> Files.writeString(Path.of("/etc/left"), "left"));
        attempt("network", () -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", 22), 2000);
                return null;
            }
        });
        try {
            Files.writeString(Path.of("/tmp/left"), "left");
            new ProcessBuilder("/bin/sh", "-c", "trap '' TERM HUP INT; while :; do sleep 1; done").inheritIO().start();
            System.err.println("left a file and a daemon");
        } catch (IOException error) {
            System.err.println("left nothing: " + error);
        }
    }

    private static void attempt(String name, Callable<Object> attempt) {
        try {
            attempt.call();
            System.err.println("yes " + name);
        } catch (Exception error) {
            System.err.println("no " + name);
        }
    }
}
