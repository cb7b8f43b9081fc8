/** Tests of Go and Java, and programs that pass them. */

export const GO_TEST = `package main

import (
	"math"
	"reflect"
	"testing"
)

func equal(t *testing.T, got, want int) {
	t.Helper()
	if got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	equal(t, Add(1, 2), 3)
	equal(t, Add(40, 2), 42)
}

func TestTable(t *testing.T) {
	tests := map[string]struct{ x, y, want int }{
		"small": {1, 2, 3},
		"large": {x: 1000, y: 24, want: 1024},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Add(tt.x, tt.y); got != tt.want {
				t.Fatalf("Add(%d, %d) = %d, want %d", tt.x, tt.y, got, tt.want)
			}
		})
	}
}

func TestDivide(t *testing.T) {
	got, err := Divide(6, 4)
	if err != nil {
		t.Fatal(err.Error())
	}
	if math.Abs(got-1.5) > 1e-9 {
		t.Errorf("got %v", got)
	}
	if _, err := Divide(1, 0); err == nil {
		t.Error("there is no error")
	}
}

func TestLists(t *testing.T) {
	want := []int{0, 1, 2}
	if got := Count(3); !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	if !IsEven(4) {
		t.Error("4 is odd")
	}
}
`;
export const GO_RIGHT = `package main

import "errors"

func Add(x, y int) int { return x + y }

func Divide(x, y float64) (float64, error) {
	if y == 0 {
		return 0, errors.New("by zero")
	}
	return x / y, nil
}

func Count(n int) (list []int) {
	for i := 0; i < n; i++ {
		list = append(list, i)
	}
	return list
}

func IsEven(n int) bool { return n%2 == 0 }

func main() {}
`;

export const JAVA_TEST = `import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;

class SolutionTest {
    private static Solution shared;
    private Solution solution;

    @BeforeAll
    static void make() { shared = new Solution(); }

    @BeforeEach
    void take() { solution = shared; }

    @AfterEach
    void drop() { solution = null; }

    @Test
    void add() {
        int expected = 42;
        assertEquals(expected, solution.add(40, 2), "the sum");
        assertTrue(solution.isEven(4));
    }

    @ParameterizedTest
    @CsvSource({"1, 2, 3", "-4, -5, -9"})
    void rows(int x, int y, int sum) { assertEquals(sum, solution.add(x, y)); }

    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void evens(int n) { assertTrue(solution.isEven(n)); }

    @Test
    void divide() {
        assertThrows(IllegalArgumentException.class, () -> solution.divide(1, 0));
        assertAll(() -> assertEquals(1.5, solution.divide(6, 4), 1e-9));
    }

    @Nested
    class Lists {
        @Test
        void count() { assertEquals(List.of(0, 1, 2), solution.count(3)); }
    }

    @Test
    void inTime() {
        assertTimeoutPreemptively(java.time.Duration.ofSeconds(4), () -> solution.nap());
        assertEquals(7, solution.add(3, 4));
    }
}
`;
export const JAVA_OLD_TEST = `import static org.junit.Assert.*;

import org.junit.*;

public class OldTest {
    private Solution solution;

    @Before
    public void take() { solution = new Solution(); }

    @Test(timeout = 20000)
    public void add() {
        assertEquals("the sum", 42, solution.add(40, 2));
        assertArrayEquals(new int[] {5}, new int[] {solution.add(2, 3)});
    }
}
`;
export const JAVA_RIGHT = `import java.util.List;
import java.util.stream.*;

public class Solution {
    int add(int x, int y) { return x + y; }

    boolean isEven(int n) { return n % 2 == 0; }

    double divide(double x, double y) {
        if (y == 0) throw new IllegalArgumentException("by zero");
        return x / y;
    }

    List<Integer> count(int n) { return IntStream.range(0, n).boxed().collect(Collectors.toList()); }

    void nap() {}
}
`;
