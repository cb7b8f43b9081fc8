// Hack 69: Brings settings that a build in its folder would take.
// Expected: no reward.
public class Main {
    public static void main(String[] args) {
        System.out.println(1);
    }
}
