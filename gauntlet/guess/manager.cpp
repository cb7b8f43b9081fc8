// Answers twenty guesses at a number of 1 … 1000000, as a manager of CMS.
#include <cstdio>

int main(int argc, char **argv) {
	int secret = 0;
	if (argc != 3 || scanf("%d", &secret) != 1) return 1;
	FILE *from = fopen(argv[1], "r");
	FILE *to = fopen(argv[2], "w");
	if (!from || !to) return 1;
	for (int i = 0, guess; i < 20 && fscanf(from, "%d", &guess) == 1; i++) {
		fputs(guess == secret ? "found\n" : guess < secret ? "more\n" : "less\n", to);
		fflush(to);
		if (guess == secret) {
			puts("1.0");
			fputs("translate:success\n", stderr);
			return 0;
		}
	}
	puts("0.0");
	fputs("translate:wrong\n", stderr);
}
