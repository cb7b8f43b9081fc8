// Does not compile: one return is missing.
public class Main {
    static long solve(long n) {
        if (n > 0) return n;
    }

    public static void main(String[] args) {
        System.out.println(solve(1));
    }
}
