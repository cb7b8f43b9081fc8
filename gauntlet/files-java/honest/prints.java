// Honest: Prints while it is tested, what results look like too, and has a main of its own that ends with 3.
// Expected: accepted.
public class Solution {
    static int add(int x, int y) {
        System.out.println("[         4 tests failed      ]");
        System.err.println("java.lang.AssertionError");
        return x + y;
    }

    public static void main(String[] args) {
        System.exit(3);
    }
}
