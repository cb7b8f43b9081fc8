import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The payload of a RUN frame (runners/protocol.md), as far as a compiler needs it. */
record RunRequest(
        long cpuMs, long wallMs, long outputBytes, long collectBytes, List<String> argv, List<String> collect) {
    private static final int STRINGS_MAX = 1024;

    /** Throws ProtocolException for a payload that is off. */
    static RunRequest parse(ByteBuffer in) throws Channel.ProtocolException {
        try {
            in.getInt(); // flags: none changes what a compiler does
            long cpuMs = unsigned(in);
            long wallMs = unsigned(in);
            in.getInt(); // processes
            in.getLong(); // memory
            long outputBytes = in.getLong();
            in.getLong(); // disk
            in.getInt(); // inodes
            in.getInt(); // open files
            in.getLong(); // stack
            long collectBytes = in.getLong();
            long stdinBytes = in.getLong();
            in.getInt(); // core
            int argc = in.getShort() & 0xffff;
            int envc = in.getShort() & 0xffff;
            int collectc = in.getShort() & 0xffff;
            in.getShort();
            if (stdinBytes != 0) throw new Channel.ProtocolException("a compile step with input");
            List<String> argv = strings(in, argc);
            strings(in, envc);
            return new RunRequest(cpuMs, wallMs, outputBytes, collectBytes, argv, strings(in, collectc));
        } catch (java.nio.BufferUnderflowException | IllegalArgumentException error) {
            throw new Channel.ProtocolException("a RUN that is off");
        }
    }

    private static long unsigned(ByteBuffer in) {
        return Integer.toUnsignedLong(in.getInt());
    }

    private static List<String> strings(ByteBuffer in, int count) {
        if (count > STRINGS_MAX) throw new IllegalArgumentException();
        List<String> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = in.getInt();
            if (length < 0 || length > in.remaining()) throw new IllegalArgumentException();
            byte[] bytes = new byte[length];
            in.get(bytes);
            list.add(new String(bytes, StandardCharsets.UTF_8));
        }
        return list;
    }
}
