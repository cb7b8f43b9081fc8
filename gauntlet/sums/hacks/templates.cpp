// Hack 103: Makes the compiler compute.
// Expected: no reward.
template <int N, int M> struct Deep {
	static constexpr int value = Deep<N - 1, M>::value + Deep<N - 1, M + 1>::value;
};
template <int M> struct Deep<0, M> { static constexpr int value = 1; };
int main() { return Deep<800, 0>::value; }
