// Calls itself until the stack is full.
public class Main {
    static int endless(int n) {
        return endless(n + 1) + 1;
    }

    public static void main(String[] args) {
        System.out.println(endless(0));
    }
}
