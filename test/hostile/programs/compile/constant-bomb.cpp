// How: a constant that takes the compiler memory and time without end to compute.
// Expected: compile_error by the compile step's own limits or the compiler's.
struct big {
	int items[1 << 27];
	constexpr big() : items() {}
};
constexpr int deep(int n) { return n < 2 ? 1 : deep(n - 1) + deep(n - 2); }
constexpr big all[8];
static_assert(deep(60) + all[7].items[3] == 1, "");
int main() {}
