import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddTest {
    @Test
    void large() {
        assertEquals(1000000008, Solution.add(1000000007, 1));
    }

    @ParameterizedTest
    @CsvSource({"1, 2, 3", "-5, 12, 7"})
    void rows(int x, int y, int sum) {
        assertEquals(sum, Solution.add(x, y));
    }
}
