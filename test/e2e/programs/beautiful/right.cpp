#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
	int t;
	std::cin >> t;
	while (t--) {
		int n;
		std::cin >> n;
		std::vector<int> position(n + 1);
		for (int i = 0, value; i < n; i++) std::cin >> value, position[value] = i;
		std::string answer;
		int left = n, right = -1;
		for (int m = 1; m <= n; m++) {
			left = std::min(left, position[m]);
			right = std::max(right, position[m]);
			answer += right - left + 1 == m ? '1' : '0';
		}
		std::cout << answer << '\n';
	}
}
