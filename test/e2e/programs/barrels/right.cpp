#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>

int main() {
	int t;
	std::cin >> t;
	while (t--) {
		int n, k;
		std::cin >> n >> k;
		std::vector<long long> a(n);
		for (auto &x : a) std::cin >> x;
		std::sort(a.rbegin(), a.rend());
		std::cout << std::accumulate(a.begin(), a.begin() + k + 1, 0LL) << '\n';
	}
}
