// Honest: Computes in parallel, from within a class of its own.
// Expected: accepted.
import java.util.Scanner;
import java.util.stream.LongStream;

public class Main {
    record Pair(long a, long b) {
        long sum() {
            return Math.addExact(a, b);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Scanner in = new Scanner(System.in);
        Pair[] pairs = new Pair[in.nextInt()];
        for (int i = 0; i < pairs.length; i++) pairs[i] = new Pair(in.nextLong(), in.nextLong());
        long[] sums = LongStream.range(0, pairs.length).parallel().map(i -> pairs[(int) i].sum()).toArray();
        Thread thread = new Thread(() -> {
            for (long sum : sums) System.out.println(sum);
        });
        thread.start();
        thread.join();
        System.exit(0);
    }
}
