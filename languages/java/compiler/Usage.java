import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process has used, from its own /proc (proc(5)). */
final class Usage {
    private static final long PAGE_BYTES = 4096;
    /** Of processor time: USER_HZ is 100 on every Linux that Java runs on. */
    private static final long TICK_US = 10_000;

    private Usage() {}

    /** Resident memory, 0 where the kernel does not tell. */
    static long residentBytes() {
        String[] fields = read("/proc/self/statm").split(" ");
        return fields.length > 1 ? Long.parseLong(fields[1]) * PAGE_BYTES : 0;
    }

    /** Of all threads, also those that have ended; 0 where the kernel does not tell. */
    private static long cpuUs() {
        String stat = read("/proc/self/stat");
        // The name, which is in brackets, may hold spaces.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
        return fields.length > 12 ? (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_US : 0;
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1).trim();
        } catch (IOException error) {
            return "";
        }
    }

    /** Since it was made: processor time of the compiler, its collector and the JVM's own compiler; and wall time. */
    static final class Since {
        private final long cpuStartUs = Usage.cpuUs();
        private final long startNs = System.nanoTime();

        long cpuUs() {
            return Usage.cpuUs() - cpuStartUs;
        }

        long wallUs() {
            return (System.nanoTime() - startNs) / 1000;
        }
    }
}
