package assay_harness;

import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.vintage.engine.VintageTestEngine;

/**
 * Runs the test classes that it is given, beside the program, and claims how they went: one frame on standard output, where
 * nothing else of ours goes. Extensions, listeners and filters come from the tests alone, never from a class path.
 */
public final class Runner implements TestExecutionListener {
    private static final int MESSAGE_MAX = 1000;
    /** Of all messages together: what is said has a bound. */
    private static final int TOLD_MAX = 1 << 19;
    private static final int NOTES_MAX = 4096;
    private static final String SKIPPED = "skipped, which is not passed";

    private final StringBuilder claims = new StringBuilder();
    private int told;
    /** Why tests have no result, as JSON. */
    private String failed = "null";

    private Runner() {}

    public static void main(String[] arguments) throws IOException {
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        Runner runner = new Runner();
        try {
            runner.run(arguments);
        } catch (Throwable error) {
            runner.failed = failure(error);
        }
        runner.send(out);
        boolean isTraining = Arrays.asList(arguments).contains("assay_harness.Training");
        // Threads that the program has left are not waited for. Archives are written at an exit.
        if (isTraining) System.exit(0);
        Runtime.getRuntime().halt(0);
    }

    /**
     * The first argument is where program and tests lie. Whatever classes they have, those of JUnit and of the JDK are found
     * first.
     */
    private void run(String[] arguments) throws MalformedURLException, ClassNotFoundException {
        URL[] own = {Path.of(arguments[0]).toUri().toURL()};
        ClassLoader loader = new URLClassLoader(own, Runner.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        List<Class<?>> classes = new ArrayList<>();
        for (String name : Arrays.asList(arguments).subList(1, arguments.length)) {
            classes.add(Class.forName(name, false, loader));
        }
        LauncherConfig config = LauncherConfig.builder()
                .enableTestEngineAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .addTestEngines(new JupiterTestEngine(), new VintageTestEngine())
                .build();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .enableImplicitConfigurationParameters(false)
                .selectors(classes.stream().map(DiscoverySelectors::selectClass).toList())
                .build();
        LauncherFactory.create(config).execute(request, this);
    }

    private synchronized void send(FileOutputStream out) throws IOException {
        String text = "{\"failed\":" + failed + ",\"tests\":[" + claims + "]}";
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        try (DataOutputStream frame = new DataOutputStream(out)) {
            frame.writeInt(body.length);
            frame.write(body);
        }
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) Note.begin();
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        if (test.isTest()) claim(test, "wrong_answer", SKIPPED, new Note.Notes(Map.of(), Map.of(), null));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Throwable thrown = result.getThrowable().orElse(null);
        if (!test.isTest()) {
            if (result.getStatus() != Status.SUCCESSFUL && failed.equals("null")) {
                failed = thrown == null ? "[\"wrong_answer\",\"" + SKIPPED + "\"]" : failure(thrown);
            }
            return;
        }
        Note.Notes notes = Note.take();
        Throwable why = notes.first() != null ? notes.first() : thrown;
        if (why != null && result.getStatus() != Status.ABORTED) {
            claim(test, verdict(why), message(why), notes);
        } else if (result.getStatus() == Status.SUCCESSFUL) {
            claim(test, "accepted", "", notes);
        } else {
            claim(test, "wrong_answer", SKIPPED, notes);
        }
    }

    private synchronized void claim(TestIdentifier test, String verdict, String said, Note.Notes notes) {
        String message = said.substring(0, Math.min(said.length(), told > TOLD_MAX ? 80 : MESSAGE_MAX));
        told += message.length();
        if (claims.length() > 0) claims.append(',');
        claims.append("{\"id\":").append(quoted(idOf(test))).append(",\"verdict\":\"").append(verdict);
        claims.append("\",\"message\":").append(quoted(message)).append(",\"passed\":");
        pairs(notes.passed());
        claims.append(",\"failed\":");
        pairs(notes.failed());
        claims.append(",\"stdout\":\"\"}");
    }

    private void pairs(Map<Integer, Integer> counts) {
        String between = "";
        claims.append('[');
        for (Map.Entry<Integer, Integer> each : counts.entrySet().stream().limit(NOTES_MAX).toList()) {
            claims.append(between).append('[').append(each.getKey()).append(',').append(each.getValue()).append(']');
            between = ",";
        }
        claims.append(']');
    }

    /** `Class.method`, and `[n]` behind it for each time that a method is run with other arguments. */
    private static String idOf(TestIdentifier test) {
        String id = test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getClassName() + "." + ((MethodSource) source).getMethodName())
                .orElse(test.getUniqueId());
        UniqueId.Segment last = test.getUniqueIdObject().getLastSegment();
        boolean isRow = last.getType().equals("test-template-invocation");
        return isRow ? id + "[" + last.getValue().substring(1) + "]" : id;
    }

    private static String failure(Throwable thrown) {
        return "[\"" + verdict(thrown) + "\"," + quoted(message(thrown)) + "]";
    }

    private static String verdict(Throwable thrown) {
        return thrown instanceof AssertionError ? "wrong_answer" : "runtime_error";
    }

    private static String message(Throwable thrown) {
        String text;
        try {
            text = thrown.getMessage();
        } catch (Throwable error) {
            // The program's own class may do anything.
            text = null;
        }
        String name = thrown.getClass().getName();
        String whole = text == null ? name : name + ": " + text;
        return whole.substring(0, Math.min(whole.length(), MESSAGE_MAX));
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < 0x20 || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        return out.append('"').toString();
    }
}
