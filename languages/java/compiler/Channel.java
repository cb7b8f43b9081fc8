import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The frames of the runner protocol (runners/protocol.md) over descriptor 0. Knows nothing of what they mean. */
final class Channel {
    static final int FILE = 0x01;
    static final int RUN = 0x02;
    static final int CANCEL = 0x04;
    static final int RESET = 0x05;
    static final int HELLO = 0x81;
    static final int OUTPUT = 0x83;
    static final int COLLECTED = 0x84;
    static final int RESULT = 0x85;
    static final int CLEAN = 0x86;
    static final int ERROR = 0x87;

    /** Content of one OUTPUT or COLLECTED frame at most. */
    static final int CHUNK_MAX = 65536;
    private static final int HEADER_BYTES = 12;
    private static final int PAYLOAD_MAX = 262144;

    private final FileInputStream in = new FileInputStream(FileDescriptor.in);
    /** A socket: what is written to descriptor 0 goes to the service. */
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.in);

    record Frame(int type, int flags, int id, ByteBuffer payload) {}

    /** The frame is not what the protocol allows. */
    static final class ProtocolException extends IOException {
        private static final long serialVersionUID = 1;

        ProtocolException(String message) {
            super(message);
        }
    }

    /** Waits for the next frame. Throws EOFException where the service has left. */
    Frame receive() throws IOException {
        ByteBuffer head = read(HEADER_BYTES);
        int length = head.getInt();
        int type = head.get() & 0xff;
        int flags = head.get() & 0xff;
        int zero = head.getShort();
        int id = head.getInt();
        if (length < 0 || length > PAYLOAD_MAX || zero != 0) throw new ProtocolException("a header that is off");
        return new Frame(type, flags, id, read(length));
    }

    /** Whether `receive` would find something, also the end. */
    boolean hasMore() throws IOException {
        return in.available() > 0;
    }

    void send(int type, int flags, int id, ByteBuffer payload) throws IOException {
        payload.flip();
        ByteBuffer frame = buffer(HEADER_BYTES + payload.remaining());
        frame.putInt(payload.remaining()).put((byte) type).put((byte) flags).putShort((short) 0).putInt(id).put(payload);
        out.write(frame.array());
    }

    /** Room for a payload. */
    static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private ByteBuffer read(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) throw new EOFException();
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
