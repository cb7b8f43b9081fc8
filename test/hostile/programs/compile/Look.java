// How: looks for what the compile step left.
// Expected: exited 0, "clean".
import java.nio.file.Files;
import java.nio.file.Path;

public class Look {
    public static void main(String[] args) {
        boolean isLeft = Files.exists(Path.of("/tmp/left"));
        long others = ProcessHandle.allProcesses().filter(each -> each.pid() > 1).count() - 1;
        System.out.println(isLeft || others > 0 ? "left: " + others : "clean");
    }
}
