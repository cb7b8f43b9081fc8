// Honest: Prints another answer, in another language than the checker's.
// Expected: accepted.
#include <iostream>

int main() {
	long long n;
	std::cin >> n;
	std::cout << n - 1 << ' ' << 1;
}
