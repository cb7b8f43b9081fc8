// How: compiles the plug-in of Ran.java, as whoever sends a class has done before.
// Expected: exited 0, with Ran.class in its folder.
import javax.tools.ToolProvider;

public class Make {
    public static void main(String[] args) {
        System.exit(ToolProvider.getSystemJavaCompiler().run(null, null, null, "Ran.java"));
    }
}
