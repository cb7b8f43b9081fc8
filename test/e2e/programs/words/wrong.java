// The right answer, and then an exit code that says that something failed.
public class Main {
    public static void main(String[] args) {
        System.out.println("1\n3 \n-1\n0\n\n2\n1 2 ");
        System.exit(3);
    }
}
