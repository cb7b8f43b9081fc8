// The sum of two numbers; each of its ends is a wish of the answer file's, or a number of the output.
#include <cstdlib>
#include "testlib.h"

int main(int argc, char **argv) {
	registerTestlibCmd(argc, argv);
	int right = ans.readInt();
	int said = ouf.readInt();
	if (inf.readInt() + inf.readInt() != right) quitf(_fail, "the answer file is wrong");
	if (said == 1001) quitf(_fail, "asked to fail");
	if (said == 1002) abort();
	if (said == 1003)
		for (volatile int i = 0;;) i = i + 1;
	if (said == 1004) quitp(2.5, "more than all");
	if (said == 1005) quitp(0.25, "a quarter");
	if (said == 1006) quit(_pe, "form");
	if (said != right) quitf(_wa, "%d is not %d", said, right);
	quitf(_ok, "%d", right);
}
