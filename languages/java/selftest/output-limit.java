// Prints without end. Expected: output_limit.
public class Main {
    public static void main(String[] args) {
        for (;;) System.out.println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    }
}
