#include <iostream>
#include <set>
#include <string>
#include <vector>

int main() {
	int t;
	std::cin >> t;
	while (t--) {
		int n;
		std::cin >> n;
		std::vector<std::string> words(n);
		std::set<std::string> there;
		std::vector<int> kinds[2];
		bool zeros = false, ones = false;
		for (int i = 0; i < n; i++) {
			std::cin >> words[i];
			there.insert(words[i]);
			char first = words[i].front(), last = words[i].back();
			if (first != last) kinds[first - '0'].push_back(i);
			else (first == '0' ? zeros : ones) = true;
		}
		if (kinds[0].empty() && kinds[1].empty()) {
			std::cout << (zeros && ones ? "-1\n" : "0\n\n");
			continue;
		}
		auto &more = kinds[0].size() >= kinds[1].size() ? kinds[0] : kinds[1];
		auto &less = &more == &kinds[0] ? kinds[1] : kinds[0];
		size_t need = (more.size() - less.size()) / 2;
		std::vector<int> can;
		for (int i : more)
			if (!there.count(std::string(words[i].rbegin(), words[i].rend()))) can.push_back(i + 1);
		if (can.size() < need) {
			std::cout << "-1\n";
			continue;
		}
		std::cout << need << '\n';
		for (size_t i = 0; i < need; i++) std::cout << can[i] << ' ';
		std::cout << '\n';
	}
}
