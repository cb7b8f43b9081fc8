import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SetTest {
    @Test
    void together() {
        assertEquals(Set.of(3, 42), Set.of(Solution.add(1, 2), Solution.add(40, 2)));
    }

    @Test
    void alone() {
        assertEquals(Set.of(1000000008), Set.of(Solution.add(1000000007, 1)));
    }

    @Test
    void named() {
        assertEquals(Map.of("sum", 90, "more", 91), Map.of("sum", Solution.add(45, 45), "more", Solution.add(45, 46)));
    }
}
