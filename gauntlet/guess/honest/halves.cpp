// Honest: Halves what is left, and ends its lines as it likes.
// Expected: accepted.
#include <iostream>
#include <string>

int main() {
	int low = 1, high = 1000000;
	for (std::string word; word != "found";) {
		int middle = low + (high - low) / 2;
		std::cout << middle << std::endl;
		std::cin >> word;
		if (word == "more") low = middle + 1;
		else high = middle - 1;
	}
}
