// Judges two numbers with a given sum, with testlib.
#include "testlib.h"

int main(int argc, char **argv) {
	registerTestlibCmd(argc, argv);
	long long total = inf.readLong();
	if (ans.readToken() == "?") quitf(_ok, "anything");
	long long first = ouf.readLong(1, total);
	long long second = ouf.readLong(1, total);
	if (first + second != total) quitf(_wa, "the sum is %lld", first + second);
	quitf(_ok, "right");
}
