// Honest: Reads numbers and adds them.
// Expected: accepted.
#include <stdio.h>

int main(void) {
	int t;
	long long a, b;
	if (scanf("%d", &t) != 1) return 1;
	while (t-- > 0 && scanf("%lld %lld", &a, &b) == 2) printf("%lld\n", a + b);
}
