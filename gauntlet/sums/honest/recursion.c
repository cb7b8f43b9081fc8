// Honest: Recurses deeply, with large frames.
// Expected: accepted.
#include <stdio.h>

static long deep(long n) {
	volatile char frame[64] = {0};
	return n == 0 ? frame[0] : 1 + deep(n - 1);
}

int main(void) {
	int t;
	long long a, b;
	if (deep(100000) != 100000 || scanf("%d", &t) != 1) return 1;
	while (t-- > 0 && scanf("%lld %lld", &a, &b) == 2) printf("%lld ", a + b);
}
