// A manager of CMS for three processes. Each gets its share of the numbers 1 … n and answers their sum. What it does first
// is up to the input: 13 crash, 14 say no outcome, 15 listen to the last process first, 16 a thousand short questions each.
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
	const int count = 3;
	FILE *from[count], *to[count];
	if (argc != 1 + 2 * count) return 1;
	for (int i = 0; i < count; i++) {
		from[i] = fopen(argv[1 + 2 * i], "r");
		to[i] = fopen(argv[2 + 2 * i], "w");
		if (!from[i] || !to[i]) return 1;
	}
	int n = 0;
	if (scanf("%d", &n) != 1) return 1;
	if (n == 13) abort();
	if (n == 14) {
		puts("correct");
		return 0;
	}
	long long total = 0;
	bool isGood = true;
	for (int round = 0; round < (n == 16 ? 1000 : 1); round++) {
		for (int i = 0; i < count; i++) {
			fprintf(to[i], "%d %d\n", n * i / count + 1, n * (i + 1) / count);
			fflush(to[i]);
		}
		total = 0;
		for (int at = 0; at < count; at++) {
			int i = n == 15 ? count - 1 - at : at;
			long long sum = 0;
			if (fscanf(from[i], "%lld", &sum) != 1) isGood = false;
			total += sum;
		}
		isGood = isGood && total == (long long)n * (n + 1) / 2;
		if (!isGood) break;
	}
	for (int i = 0; i < count; i++) fputs("0 0\n", to[i]);
	puts(isGood ? "1.0" : "0.0");
	fputs(isGood ? "translate:success\n" : "translate:wrong\n", stderr);
}
