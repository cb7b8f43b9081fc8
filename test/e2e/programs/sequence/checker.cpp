// Any sequence that takes one of three values at each place and differs from its neighbours; the answer is not needed.
#include <vector>
#include "testlib.h"

int main(int argc, char **argv) {
	registerTestlibCmd(argc, argv);
	int t = inf.readInt();
	for (int test = 1; test <= t; test++) {
		setTestCase(test);
		int n = inf.readInt();
		std::vector<std::vector<int>> choices(3, std::vector<int>(n));
		for (auto &row : choices)
			for (int &value : row) value = inf.readInt();
		std::vector<int> p(n);
		for (int i = 0; i < n; i++) {
			p[i] = ouf.readInt();
			if (p[i] != choices[0][i] && p[i] != choices[1][i] && p[i] != choices[2][i])
				quitf(_wa, "%d is no choice at %d", p[i], i + 1);
		}
		for (int i = 0; i < n; i++)
			if (p[i] == p[(i + 1) % n]) quitf(_wa, "%d equals its neighbour", i + 1);
	}
	quitf(_ok, "%d tests", t);
}
