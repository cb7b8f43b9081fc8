// Hack 99: Gives the linker words of its own.
// Expected: no reward.
package main

// #cgo LDFLAGS: -Wl,--wrap=main -fplugin=/tmp/winner.so
// #include <stdlib.h>
import "C"

func main() { C.exit(0) }
