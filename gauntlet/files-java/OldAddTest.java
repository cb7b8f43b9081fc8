import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class OldAddTest {
    @Test
    public void small() {
        assertEquals("a small sum", 42, Solution.add(40, 2));
    }
}
