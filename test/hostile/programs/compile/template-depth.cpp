// How: template recursion without end, whose message repeats every level.
// Expected: compile_error, the message cut to a sane size.
template <int N> struct deep {
	static const int value = deep<N + 1>::value;
};
int main() { return deep<0>::value; }
