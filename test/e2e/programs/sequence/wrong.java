// Takes all the memory there is, and would go on if it could.
import java.util.ArrayList;
import java.util.List;

public class Main {
    public static void main(String[] args) {
        List<int[]> kept = new ArrayList<>();
        while (true) {
            try {
                kept.add(new int[1 << 18]);
            } catch (OutOfMemoryError error) {
                System.out.println("1 2 3");
            }
        }
    }
}
