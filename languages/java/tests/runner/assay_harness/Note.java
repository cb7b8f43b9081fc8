package assay_harness;

import java.util.Map;
import java.util.TreeMap;

/**
 * What tests tell how their assertions went. The planner puts calls of it into their text; the program under test shares
 * the process and could make the same calls, so all that is said here is only claimed.
 */
public final class Note {
    private static final Map<Integer, Integer> PASSED = new TreeMap<>();
    private static final Map<Integer, Integer> FAILED = new TreeMap<>();
    private static Throwable first;

    private Note() {}

    /** An assertion held. */
    public static synchronized void pass(int number) {
        PASSED.merge(number, 1, Integer::sum);
    }

    /** An assertion did not hold; its test goes on. */
    public static synchronized void fail(int number, Throwable thrown) {
        FAILED.merge(number, 1, Integer::sum);
        if (first == null) first = thrown;
    }

    /** Something where there is nothing, and nothing where there is something. */
    public static Object other(Object value) {
        return value == null ? "" : null;
    }

    static synchronized void begin() {
        PASSED.clear();
        FAILED.clear();
        first = null;
    }

    /** Of the test under way. */
    static synchronized Notes take() {
        return new Notes(new TreeMap<>(PASSED), new TreeMap<>(FAILED), first);
    }

    /** `first` is what the first failed assertion threw, or null. */
    record Notes(Map<Integer, Integer> passed, Map<Integer, Integer> failed, Throwable first) {}
}
