// A type error. Expected: compile_error.
public class Main {
    public static void main(String[] args) {
        String never = 1;
    }
}
