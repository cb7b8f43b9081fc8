// The same as a manager of CMS: the secret on standard input, the program behind two FIFOs, the outcome on standard output.
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
	int secret = 0;
	if (argc != 3 || scanf("%d", &secret) != 1) return 1;
	FILE *from = fopen(argv[1], "r");
	FILE *to = fopen(argv[2], "w");
	if (!from || !to) return 1;
	if (secret == 13) abort();
	if (secret == 14) {
		puts("correct");
		return 0;
	}
	for (int i = 0, guess; i < 20 && fscanf(from, "%d", &guess) == 1; i++) {
		// The last word is left to the buffer.
		fputs(guess == secret ? "found\n" : guess < secret ? "more\n" : "less\n", to);
		if (guess == secret) {
			puts("1.0");
			fputs("translate:success\n", stderr);
			return 0;
		}
		fflush(to);
	}
	puts("0.0");
	fputs("translate:wrong\n", stderr);
}
