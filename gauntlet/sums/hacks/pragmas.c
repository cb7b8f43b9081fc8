// Hack 109: Changes what arithmetic means, and what is linked, from within the program.
// Expected: no reward.
#pragma GCC optimize("Ofast,unsafe-math-optimizations")
#pragma GCC target("avx2")
#pragma comment(linker, "/EXPORT:main=_exit")
#include <stdio.h>
int main(void) {
	int t;
	float a, b;
	for (scanf("%d", &t); t-- > 0;) {
		scanf("%f %f", &a, &b);
		printf("%.0f\n", a + b);
	}
}
