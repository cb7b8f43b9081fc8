#include <bits/stdc++.h>

int main() {
	int q;
	std::cin >> q;
	while (q--) {
		long long n, m, k;
		std::cin >> n >> m >> k;
		if (std::max(n, m) > k) std::cout << -1 << '\n';
		else if ((n + m) % 2) std::cout << k - 1 << '\n';
		else std::cout << ((k - n) % 2 == 0 ? k : k - 2) << '\n';
	}
}
