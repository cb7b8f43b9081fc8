// Starts threads that stay until it is refused one, and lets the error escape. Expected: runtime_error (limit processes).
public class Main {
    public static void main(String[] args) {
        for (;;) {
            Thread thread = new Thread(() -> {
                java.util.concurrent.locks.LockSupport.parkNanos(60_000_000_000L);
            });
            thread.setDaemon(true);
            thread.start();
        }
    }
}
