// Guess a number of 1 … 1000000 in twenty questions; what was guessed goes to the checker.
#include "testlib.h"

int main(int argc, char **argv) {
	registerInteraction(argc, argv);
	int secret = inf.readInt();
	for (int i = 0; i < 20; i++) {
		int guess = ouf.readInt(1, 1000000);
		tout << guess << "\n";
		if (secret == 13 && i == 2) quitf(_fail, "asked to fail");
		if (guess == secret) {
			std::cout << "found" << std::endl;
			if (i >= 19) quitp(0.5, "slow");
			quitf(_ok, "%d questions", i + 1);
		}
		std::cout << (guess < secret ? "more" : "less") << std::endl;
	}
	quitf(_wa, "not found");
}
