// Hack 7, 64, 126: Says the words of success from a static object, and leaves before main.
// Expected: no reward.
#include <cstdio>
#include <cstdlib>

struct Early {
	Early() {
		std::puts("OK\nCORRECT\n1");
		std::fflush(stdout);
		std::_Exit(0);
	}
} early;

int main() {}
