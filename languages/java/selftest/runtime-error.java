// Prints the right answer and then lets an exception escape. Expected: runtime_error (exit code 1).
import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner scanner = new Scanner(System.in);
        System.out.println(scanner.nextInt() + scanner.nextInt());
        throw new IllegalStateException("on purpose");
    }
}
