import java.util.*;

public class Barrels {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        for (int t = in.nextInt(); t > 0; t--) {
            int n = in.nextInt(), k = in.nextInt();
            List<Long> a = new ArrayList<>();
            for (int i = 0; i < n; i++) a.add(in.nextLong());
            a.sort(Comparator.reverseOrder());
            System.out.println(a.subList(0, k + 1).stream().mapToLong(Long::longValue).sum());
        }
    }
}
