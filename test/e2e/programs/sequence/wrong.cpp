// Takes all the memory there is.
#include <cstring>
#include <vector>

int main() {
	for (std::vector<char *> kept;;) {
		kept.push_back(new char[1 << 20]);
		std::memset(kept.back(), 1, 1 << 20);
	}
}
