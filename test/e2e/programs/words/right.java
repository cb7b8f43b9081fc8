import java.util.*;

class Main {
    static List<Integer> solve(String[] words) {
        Map<String, List<Integer>> kinds = new HashMap<>(Map.of("01", new ArrayList<>(), "10", new ArrayList<>()));
        Set<String> loops = new HashSet<>(), there = new HashSet<>(Arrays.asList(words));
        for (int i = 0; i < words.length; i++) {
            String kind = "" + words[i].charAt(0) + words[i].charAt(words[i].length() - 1);
            if (kinds.containsKey(kind)) kinds.get(kind).add(i);
            else loops.add(kind);
        }
        List<Integer> more = kinds.get("01"), less = kinds.get("10");
        if (more.size() < less.size()) {
            List<Integer> swapped = more;
            more = less;
            less = swapped;
        }
        if (more.isEmpty()) return loops.size() == 2 ? null : List.of();
        int need = (more.size() - less.size()) / 2;
        List<Integer> can = new ArrayList<>();
        for (int i : more) if (!there.contains(new StringBuilder(words[i]).reverse().toString())) can.add(i + 1);
        return can.size() >= need ? can.subList(0, need) : null;
    }

    public static void main(String... args) {
        Scanner in = new Scanner(System.in);
        for (int t = in.nextInt(); t > 0; t--) {
            String[] words = new String[in.nextInt()];
            Arrays.setAll(words, i -> in.next());
            List<Integer> answer = solve(words);
            if (answer == null) {
                System.out.println(-1);
                continue;
            }
            System.out.println(answer.size());
            answer.forEach(i -> System.out.print(i + " "));
            System.out.println();
        }
    }
}
