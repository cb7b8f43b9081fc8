// How: a recursive include that prints a long warning each time, up to the compiler's own depth, many times over.
// Expected: contained: compile_error or success, the messages cut, the service's memory flat.
#define TEXT "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#ifndef ROUND
#define ROUND
#include __FILE__
#include __FILE__
int main(void) { return 0; }
#else
#pragma message TEXT TEXT TEXT TEXT TEXT TEXT TEXT TEXT TEXT TEXT TEXT TEXT TEXT TEXT TEXT TEXT TEXT TEXT
#if __INCLUDE_LEVEL__ < 14
#include __FILE__
#include __FILE__
#endif
#endif
