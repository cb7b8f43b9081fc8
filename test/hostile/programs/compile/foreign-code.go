// How: has the C compiler run programs and read files, by directives for it.
// Expected: compile_error: there is no C in Go programs.
package main

// #cgo CFLAGS: -wrapper /bin/sh,-c,id -fplugin=./x.so
// #cgo LDFLAGS: -Wl,--just-symbols=/etc/shadow
// #include "/etc/shadow"
import "C"

func main() { println(C.x) }
