// Hack 5: Ends the machine before anything is printed.
// Expected: no reward.
public class Main {
    public static void main(String[] args) {
        Runtime.getRuntime().halt(0);
    }
}
