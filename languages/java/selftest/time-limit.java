// Spins. Expected: time_limit (cpu).
public class Main {
    static volatile int count;

    public static void main(String[] args) {
        for (;;) count++;
    }
}
