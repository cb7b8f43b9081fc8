// Honest: Adds in another thread, and leaves one behind that nothing ends.
// Expected: accepted.
import java.util.concurrent.CompletableFuture;

class Solution {
    static int add(int x, int y) {
        Thread idle = new Thread(() -> {
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException error) {
                Thread.currentThread().interrupt();
            }
        });
        idle.start();
        return CompletableFuture.supplyAsync(() -> x + y).join();
    }
}

interface Named {
    String name();
}
