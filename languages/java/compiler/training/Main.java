import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/**
 * What programs of contests use: the class archives hold what compiling and running this one loads. It has no other
 * purpose; what it computes does not matter, that each line is reached does.
 */
public class Main {
    private static final int MODULUS = 1_000_000_007;

    record Edge(int to, long weight) {}

    enum Colour { RED, GREEN }

    interface Shape {
        double area();
    }

    static final class Square implements Shape {
        private final double side;

        Square(double side) {
            this.side = side;
        }

        @Override
        public double area() {
            return side * side;
        }
    }

    static class Node<T extends Comparable<T>> {
        T value;
        Node<T> left;
        Node<T> right;

        Node(T value) {
            this.value = value;
        }

        void insert(T other) {
            if (other.compareTo(value) < 0) {
                if (left == null) left = new Node<>(other);
                else left.insert(other);
            } else if (right == null) right = new Node<>(other);
            else right.insert(other);
        }
    }

    static long power(long base, long exponent) {
        long result = 1;
        for (long b = base % MODULUS; exponent > 0; exponent >>= 1, b = b * b % MODULUS) {
            if ((exponent & 1) == 1) result = result * b % MODULUS;
        }
        return result;
    }

    static List<List<Edge>> graph(int nodes) {
        List<List<Edge>> graph = new ArrayList<>();
        for (int i = 0; i < nodes; i++) graph.add(new ArrayList<>());
        for (int i = 1; i < nodes; i++) graph.get(i / 2).add(new Edge(i, i % 5 + 1));
        return graph;
    }

    static long[] distances(List<List<Edge>> graph) {
        long[] distance = new long[graph.size()];
        Arrays.fill(distance, Long.MAX_VALUE);
        distance[0] = 0;
        PriorityQueue<long[]> queue = new PriorityQueue<>((a, b) -> Long.compare(a[1], b[1]));
        queue.add(new long[] {0, 0});
        while (!queue.isEmpty()) {
            long[] top = queue.poll();
            for (Edge edge : graph.get((int) top[0])) {
                long next = top[1] + edge.weight();
                if (next >= distance[edge.to()]) continue;
                distance[edge.to()] = next;
                queue.offer(new long[] {edge.to(), next});
            }
        }
        return distance;
    }

    static void collections(List<Integer> numbers) {
        Map<String, Integer> counts = new HashMap<>();
        for (int n : numbers) counts.merge("k" + n % 3, 1, Integer::sum);
        Map<Integer, List<String>> groups = new TreeMap<>(Comparator.reverseOrder());
        for (Map.Entry<String, Integer> each : counts.entrySet()) {
            groups.computeIfAbsent(each.getValue(), key -> new LinkedList<>()).add(each.getKey());
        }
        Deque<Integer> deque = new ArrayDeque<>(numbers);
        deque.addFirst(deque.pollLast());
        Set<Integer> set = new HashSet<>(numbers);
        Set<Integer> ordered = new LinkedHashSet<>(set);
        TreeSet<Integer> sorted = new TreeSet<>(ordered);
        Collections.sort(numbers, Collections.reverseOrder());
        numbers.sort(Comparator.comparingInt(n -> n % 7));
        Stack<Character> stack = new Stack<>();
        for (char c : "(()())".toCharArray()) {
            if (c == '(') stack.push(c);
            else stack.pop();
        }
        Iterator<Integer> iterator = numbers.iterator();
        iterator.next();
        BitSet bits = new BitSet(64);
        bits.set(3);
        EnumMap<Colour, Integer> colours = new EnumMap<>(Colour.class);
        colours.put(Colour.RED, 1);
        System.out.println(groups + " " + sorted.ceiling(2) + " " + deque.peek() + " " + stack.isEmpty() + bits + colours);
    }

    static void streams(List<Integer> numbers) {
        String joined = numbers.stream().filter(n -> n > 0).map(String::valueOf).collect(Collectors.joining(" "));
        int sum = IntStream.rangeClosed(1, 10).map(n -> n * n).sum();
        Map<Boolean, Long> parts = numbers.stream().collect(Collectors.partitioningBy(n -> n % 2 == 0, Collectors.counting()));
        Map<Integer, List<Integer>> groups = numbers.stream().collect(Collectors.groupingBy(n -> n % 3));
        int[] array = numbers.stream().mapToInt(Integer::intValue).sorted().toArray();
        Optional<Integer> most = numbers.stream().max(Comparator.naturalOrder());
        List<Integer> boxed = Arrays.stream(array).boxed().collect(Collectors.toList());
        Function<Integer, Integer> twice = n -> 2 * n;
        BiFunction<Integer, Integer, Integer> add = (a, b) -> a + b;
        Supplier<List<Integer>> fresh = ArrayList::new;
        System.out.println(joined + sum + parts + groups + most.orElse(0) + boxed.size() + twice.apply(2) + add.apply(1, 2) + fresh.get());
    }

    static void text(String line) {
        StringBuilder builder = new StringBuilder();
        for (String word : line.split("\\s+")) builder.append(word, 0, 1).append(',').reverse();
        StringTokenizer tokens = new StringTokenizer(line);
        while (tokens.hasMoreTokens()) builder.append(Long.parseLong(tokens.nextToken()));
        String replaced = builder.toString().replace(",", "").replaceAll("[0-9]+", "x").trim().toUpperCase();
        System.out.printf("%d %5.2f %s %x %c %b %08d%n", 1, 2.5, replaced, 255, 'c', true, 42);
        System.out.println(String.format("%.6f", Math.sqrt(2)) + String.join("-", "a", "b") + "ab".repeat(2) + "a b".contains("b"));
        System.out.println(new BigInteger("123456789012345678901234567890").modPow(BigInteger.TWO, BigInteger.TEN));
        System.out.println(new BigDecimal("1.10").add(BigDecimal.ONE) + " " + Integer.toBinaryString(5) + Long.MAX_VALUE);
    }

    static int depth(int n) {
        return n == 0 ? 0 : 1 + depth(n - 1);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));
        int count = Integer.parseInt(reader.readLine().trim());
        String line = reader.readLine();
        List<Integer> numbers = new ArrayList<>();
        Scanner scanner = new Scanner(line);
        while (scanner.hasNextInt()) numbers.add(scanner.nextInt());
        Scanner rest = new Scanner(reader);
        System.out.println(rest.nextLine() + rest.next() + rest.nextLong() + rest.nextDouble() + rest.hasNext());
        collections(numbers);
        streams(numbers);
        text(line);
        System.out.println(Arrays.toString(distances(graph(16))) + Arrays.deepToString(new int[2][2]) + power(3, count));
        Node<Integer> root = new Node<>(3);
        for (int n : numbers) root.insert(n);
        Shape shape = new Square(2);
        String kind = switch (count % 3) {
            case 0 -> "zero";
            case 1 -> "one";
            default -> "two";
        };
        try {
            Object none = numbers.get(numbers.size());
            System.out.println(none);
        } catch (IndexOutOfBoundsException error) {
            System.out.println(error.getMessage());
        }
        Thread thread = new Thread(null, () -> System.out.println(depth(1000)), "deep", 1 << 24);
        thread.start();
        thread.join();
        PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out)));
        out.println(kind + shape.area() + new Random(1).nextInt(5) + Objects.hash(1, 2) + System.nanoTime() % 1);
        out.flush();
        System.exit(0);
    }
}
