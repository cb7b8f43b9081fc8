package assay_harness;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that set-up runs once, so that what runs tests starts faster (class archives). */
final class Training {
    private int state;

    @BeforeAll
    static void beforeAll() {}

    @BeforeEach
    void beforeEach() {
        state = 2;
    }

    @AfterEach
    void afterEach() {}

    @Test
    @DisplayName("values")
    void values() {
        try { assertEquals(2, state, "state"); Note.pass(0); } catch (Throwable thrown) { Note.fail(0, thrown); }
        try { assertEquals(1.5, state - 0.5, 1e-9); Note.pass(1); } catch (Throwable thrown) { Note.fail(1, thrown); }
        try { assertEquals(List.of("a", "b"), List.of("a", "c")); Note.pass(2); } catch (Throwable thrown) { Note.fail(2, thrown); }
        assertAll(() -> assertTrue(state > 1), () -> assertArrayEquals(new int[] {1, 2}, new int[] {1, state}));
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.SECONDS)
    void errors() {
        assertThrows(ArithmeticException.class, () -> assertEquals(0, 1 / (state - 2)));
    }

    @ParameterizedTest
    @CsvSource({"1, 2, 3, true, x, 1.5", "4, 5, 9, false, y, 2.5"})
    void rows(int one, long other, int sum, boolean flag, String text, double number) {
        assertEquals(sum, one + other);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void each(int value) {
        assertTrue(value > 0);
    }

    @Nested
    class Inner {
        @Test
        void inner() {
            assertEquals(2, state);
        }
    }

    /** As JUnit 4 has it. */
    public static final class Old {
        @org.junit.Before
        public void before() {}

        @org.junit.Test(timeout = 10_000)
        public void values() {
            org.junit.Assert.assertEquals("sum", 3, Integer.parseInt("3"));
        }

        @org.junit.Test(expected = NumberFormatException.class)
        public void errors() {
            Integer.parseInt("x");
        }
    }
}
