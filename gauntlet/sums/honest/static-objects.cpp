// Honest: Does everything before and after main.
// Expected: accepted.
#include <iostream>
#include <vector>

struct Sums {
	std::vector<long long> sums;
	Sums() {
		int t;
		std::cin >> t;
		for (long long a, b; t-- > 0 && std::cin >> a >> b;) sums.push_back(a + b);
	}
	~Sums() {
		for (auto sum : sums) std::cout << sum << '\n';
	}
} sums;

int main() {}
