#include <iostream>
#include <vector>

int main() {
	int t;
	std::cin >> t;
	while (t--) {
		int n;
		std::cin >> n;
		std::vector<std::vector<int>> s(3, std::vector<int>(n));
		for (auto &row : s) for (auto &x : row) std::cin >> x;
		std::vector<int> p;
		for (int i = 0; i < n; i++)
			for (auto &row : s)
				if (i == 0 || (row[i] != p[i - 1] && (i < n - 1 || row[i] != p[0]))) {
					p.push_back(row[i]);
					break;
				}
		for (int x : p) std::cout << x << ' ';
		std::cout << '\n';
	}
}
