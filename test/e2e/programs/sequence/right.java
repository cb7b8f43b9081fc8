import java.io.*;

public class Main {
    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedInputStream(System.in));
        PrintWriter out = new PrintWriter(new BufferedOutputStream(System.out));
        in.nextToken();
        for (int t = (int) in.nval; t > 0; t--) {
            in.nextToken();
            int n = (int) in.nval;
            int[][] s = new int[3][n];
            for (int[] row : s) {
                for (int i = 0; i < n; i++) {
                    in.nextToken();
                    row[i] = (int) in.nval;
                }
            }
            int[] p = new int[n];
            for (int i = 0; i < n; i++) {
                for (int[] row : s) {
                    boolean fits = i == 0 || row[i] != p[i - 1] && (i < n - 1 || row[i] != p[0]);
                    if (!fits) continue;
                    p[i] = row[i];
                    break;
                }
                out.print(p[i] + " ");
            }
            out.println();
        }
        out.close();
    }
}
