// Hack 104: Makes the compiler run a loop.
// Expected: no reward.
constexpr long long spin() {
	long long x = 0;
	for (long long i = 0; i < (1LL << 40); i++) x += i;
	return x;
}
constexpr long long value = spin();
int main() { return value; }
