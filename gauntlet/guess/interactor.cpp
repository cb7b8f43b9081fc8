// Answers twenty guesses at a number of 1 … 1000000, with testlib.
#include "testlib.h"

int main(int argc, char **argv) {
	registerInteraction(argc, argv);
	int secret = inf.readInt();
	for (int i = 0; i < 20; i++) {
		int guess = ouf.readInt(1, 1000000);
		if (guess == secret) {
			std::cout << "found" << std::endl;
			quitf(_ok, "found");
		}
		std::cout << (guess < secret ? "more" : "less") << std::endl;
	}
	quitf(_wa, "not found");
}
