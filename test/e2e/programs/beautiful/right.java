import java.io.*;
import java.util.*;

final class Beautiful {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        int t = Integer.parseInt(in.readLine().trim());
        while (t-- > 0) {
            int n = Integer.parseInt(in.readLine().trim());
            int[] position = new int[n + 1];
            StringTokenizer line = new StringTokenizer(in.readLine());
            for (int i = 0; i < n; i++) position[Integer.parseInt(line.nextToken())] = i;
            int left = n, right = -1;
            for (int m = 1; m <= n; m++) {
                left = Math.min(left, position[m]);
                right = Math.max(right, position[m]);
                out.append(right - left + 1 == m ? '1' : '0');
            }
            out.append('\n');
        }
        System.out.print(out);
    }
}
