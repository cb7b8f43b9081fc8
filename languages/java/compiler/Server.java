import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The compile server of Java: PID 1 of a jail of its own, in place of the supervisor, whose protocol it speaks
 * (runners/protocol.md). It compiles programs of one file, one at a time, and never runs one. A program that a process
 * has to compile is answered with cause `not started` and ENOSYS. After a limit, or a failure of the compiler's own, the
 * server is used up.
 * Arguments: `--name NAME --cgroup none|v1|v2`.
 */
public final class Server {
    private static final int PROTOCOL_VERSION = 1;
    private static final List<String> BACK_ENDS = List.of("none", "v1", "v2");
    private static final int FEATURES_SECCOMP_OWN_UID = 3;
    private static final int ERROR_PROTOCOL = 1;
    private static final int ERROR_ASSERTION = 3;
    private static final int EXITED = 0;
    private static final int CPU = 2;
    private static final int WALL = 3;
    private static final int CANCELLED = 7;
    private static final int NOT_STARTED = 8;
    private static final int ENOSYS = 38;
    private static final int SIGKILL = 9;
    private static final int RESULT_BYTES = 88;
    private static final int STDERR = 2;
    private static final int MORE = 1;
    private static final int APPEND = 1;
    /** How often limits are looked at, ms. */
    private static final int TICK_MS = 20;
    private static final long HEAP_KEPT_BYTES = 64L << 20;
    private static final int SOURCE_MAX = 1 << 24;

    private final Channel channel = new Channel();
    private String path;
    private ByteArrayOutputStream source;
    private boolean isMore;
    private boolean isUsedUp;
    private int nextId = 1;

    private Server() {}

    public static void main(String[] args) throws IOException {
        Training.run();
        Server server = new Server();
        try {
            server.hello(args);
            for (;;) server.handle(server.channel.receive());
        } catch (EOFException left) {
            System.exit(0);
        } catch (IOException | RuntimeException error) {
            server.fail(error);
        }
    }

    private void hello(String[] args) throws IOException {
        List<String> words = List.of(args);
        byte[] name = words.get(words.indexOf("--name") + 1).getBytes(StandardCharsets.UTF_8);
        int backEnd = BACK_ENDS.indexOf(words.get(words.indexOf("--cgroup") + 1));
        ByteBuffer out = Channel.buffer(22 + name.length);
        out.putShort((short) PROTOCOL_VERSION).putShort((short) Math.max(backEnd, 0)).putInt(FEATURES_SECCOMP_OWN_UID);
        // One process and its channel; it opens nothing that lasts, and the kernel lets it make no process.
        out.putInt(3).putInt(0).putInt(1).putShort((short) name.length).put(name);
        channel.send(Channel.HELLO, 0, 0, out);
    }

    private void handle(Channel.Frame frame) throws IOException {
        switch (frame.type()) {
            case Channel.FILE -> file(frame);
            case Channel.RUN -> run(frame);
            // Every run is answered before the next frame is read.
            case Channel.CANCEL -> forget();
            case Channel.RESET -> reset();
            default -> throw new Channel.ProtocolException("a frame of type " + frame.type());
        }
    }

    private void file(Channel.Frame frame) throws IOException {
        ByteBuffer in = frame.payload();
        int length = in.remaining() < 2 ? -1 : in.getShort() & 0xffff;
        if (length < 0 || length > in.remaining()) throw new Channel.ProtocolException("a FILE that is off");
        byte[] name = new byte[length];
        in.get(name);
        String text = new String(name, StandardCharsets.UTF_8);
        if ((frame.flags() & APPEND) == 0) {
            isMore = source != null;
            path = text;
            source = new ByteArrayOutputStream(in.remaining());
        }
        isMore |= frame.id() == 0 || !text.equals(path) || source.size() + in.remaining() > SOURCE_MAX;
        if (!isMore) source.write(in.array(), in.arrayOffset() + in.position(), in.remaining());
    }

    private void run(Channel.Frame frame) throws IOException {
        if (frame.id() != nextId) throw new Channel.ProtocolException("a RUN out of order");
        nextId += 1;
        RunRequest request = RunRequest.parse(frame.payload());
        if (isUsedUp || !isOurs(request)) {
            refuse(frame.id());
        } else {
            CompileJob job = new CompileJob(Path.of(path), source.toByteArray(), request.outputBytes());
            Usage.Since since = new Usage.Since();
            job.start();
            int cause = await(job, request, since);
            if (cause == EXITED && isTold(job, request)) tell(frame.id(), job, request, since);
            else if (cause == EXITED) refuse(frame.id());
            else result(frame.id(), new Ending(cause, -1, 0), since);
            isUsedUp |= cause != EXITED || job.hasFailed();
        }
        forget();
    }

    /** One file whose name is a class's, to be compiled as planned (language.json). */
    private boolean isOurs(RunRequest request) {
        List<String> argv = request.argv();
        return source != null
                && !isMore
                && path.matches("[A-Za-z_][A-Za-z0-9_]*\\.java")
                && !path.equals("module-info.java")
                && !path.equals("package-info.java")
                && argv.size() > 2
                && argv.get(argv.size() - 2).equals("Compile")
                && argv.get(argv.size() - 1).equals(path)
                && request.collect().equals(List.of("main.jar", "main.args"));
    }

    /** What ended it: EXITED, or what it is to be stopped for. */
    private int await(CompileJob job, RunRequest request, Usage.Since since) throws IOException {
        for (;;) {
            try {
                job.join(TICK_MS);
            } catch (InterruptedException error) {
                throw new IllegalStateException(error);
            }
            if (!job.isAlive()) return EXITED;
            if (since.wallUs() > request.wallMs() * 1000) return WALL;
            if (since.cpuUs() > request.cpuMs() * 1000) return CPU;
            if (channel.hasMore()) {
                if (channel.receive().type() != Channel.CANCEL) throw new Channel.ProtocolException("a frame in a run");
                return CANCELLED;
            }
        }
    }

    private static boolean isTold(CompileJob job, RunRequest request) {
        if (!job.isSure()) return false;
        Build build = job.build();
        return build == null || build.jar().length + (long) build.arguments().length <= request.collectBytes();
    }

    private void tell(int id, CompileJob job, RunRequest request, Usage.Since since) throws IOException {
        byte[] said = job.said();
        for (int at = 0; at < said.length; at += Channel.CHUNK_MAX) {
            int length = Math.min(Channel.CHUNK_MAX, said.length - at);
            channel.send(Channel.OUTPUT, STDERR, id, Channel.buffer(length).put(said, at, length));
        }
        Build build = job.build();
        if (build != null) {
            collected(id, 0, build.jar());
            collected(id, 1, build.arguments());
        }
        result(id, new Ending(EXITED, build == null ? 1 : 0, said.length), since);
    }

    private void collected(int id, int index, byte[] bytes) throws IOException {
        int at = 0;
        do {
            int length = Math.min(Channel.CHUNK_MAX, bytes.length - at);
            ByteBuffer out = Channel.buffer(4 + length).putShort((short) index).putShort((short) 0);
            channel.send(Channel.COLLECTED, at + length < bytes.length ? MORE : 0, id, out.put(bytes, at, length));
            at += length;
        } while (at < bytes.length);
    }

    /** `said` is bytes on standard error. */
    private record Ending(int cause, int exitCode, long said) {}

    private void result(int id, Ending ending, Usage.Since since) throws IOException {
        int signal = ending.cause() == EXITED ? 0 : SIGKILL;
        ByteBuffer out = Channel.buffer(RESULT_BYTES);
        out.putInt(ending.cause()).putInt(ending.exitCode()).putInt(signal).putInt(0);
        // Time in which output waited, and memory, are not known.
        out.putLong(since.cpuUs()).putLong(since.wallUs()).putLong(0).putLong(0);
        out.putInt(0).putInt(0).putInt(0).putInt(0).putLong(0).putLong(ending.said()).putInt(0).putInt(0);
        channel.send(Channel.RESULT, 0, id, out);
    }

    private void refuse(int id) throws IOException {
        ByteBuffer out = Channel.buffer(RESULT_BYTES).putInt(NOT_STARTED).putInt(-1).putInt(0).putInt(ENOSYS);
        out.position(RESULT_BYTES);
        channel.send(Channel.RESULT, 0, id, out);
    }

    private void reset() throws IOException {
        forget();
        nextId = 1;
        Runtime runtime = Runtime.getRuntime();
        // Nobody waits for this.
        if (runtime.totalMemory() - runtime.freeMemory() > HEAP_KEPT_BYTES) System.gc();
        ByteBuffer out = Channel.buffer(24).putInt(isUsedUp ? 0 : 1).putInt(3).putInt(0).putInt(1);
        channel.send(Channel.CLEAN, 0, 0, out.putLong(Usage.residentBytes()));
    }

    private void forget() {
        path = null;
        source = null;
        isMore = false;
    }

    private void fail(Exception error) throws IOException {
        int code = error instanceof Channel.ProtocolException ? ERROR_PROTOCOL : ERROR_ASSERTION;
        byte[] text = String.valueOf(error.getMessage()).getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, 1024);
        channel.send(Channel.ERROR, 0, 0, Channel.buffer(4 + length).putInt(code).put(text, 0, length));
        System.exit(1);
    }
}
