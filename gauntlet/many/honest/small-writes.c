// Honest: Prints ten megabytes with many small writes.
// Expected: accepted.
#include <stdio.h>

int main(void) {
	int n;
	if (scanf("%d", &n) != 1) return 1;
	while (n-- > 0) puts("0123456789");
}
