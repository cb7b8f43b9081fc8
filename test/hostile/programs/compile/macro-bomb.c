// How: a billion laughs: macros that expand to macros.
// Expected: compile_error by the compile step's own limits.
#define A x + x + x + x + x + x + x + x + x + x
#define B A + A + A + A + A + A + A + A + A + A
#define C B + B + B + B + B + B + B + B + B + B
#define D C + C + C + C + C + C + C + C + C + C
#define E D + D + D + D + D + D + D + D + D + D
#define F E + E + E + E + E + E + E + E + E + E
#define G F + F + F + F + F + F + F + F + F + F
#define H G + G + G + G + G + G + G + G + G + G
#define I H + H + H + H + H + H + H + H + H + H
int main(void) { int x = 1; return I; }
