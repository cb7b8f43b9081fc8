// Keeps 4 MiB blocks until the heap, which is as large as the limit, is full. Expected: memory_limit.
import java.util.ArrayList;
import java.util.List;

public class Main {
    public static void main(String[] args) {
        List<byte[]> blocks = new ArrayList<>();
        for (;;) blocks.add(new byte[4 << 20]);
    }
}
