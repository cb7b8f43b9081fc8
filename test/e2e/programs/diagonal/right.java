package contest.diagonal;

import java.util.Scanner;

class Solver {
    long solve(long n, long m, long k) {
        if (Math.max(n, m) > k) return -1;
        if ((n + m) % 2 != 0) return k - 1;
        return (k - n) % 2 == 0 ? k : k - 2;
    }
}

public class Diagonal {
    public static void main(String[] args) {
        var in = new Scanner(System.in);
        var solver = new Solver();
        for (int q = in.nextInt(); q > 0; q--) System.out.println(solver.solve(in.nextLong(), in.nextLong(), in.nextLong()));
    }
}
