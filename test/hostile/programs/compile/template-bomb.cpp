// How: a template whose instances double at every level.
// Expected: compile_error by the compile step's own limits or the compiler's.
template <int N, int M> struct bomb {
	static const int value = bomb<N - 1, 2 * M>::value + bomb<N - 1, 2 * M + 1>::value;
};
template <int M> struct bomb<0, M> {
	static const int value = 1;
};
int main() { return bomb<28, 0>::value; }
