// How: reaches into the runtime for what it holds of its environment, by the linker.
// Expected: compile_error, or what any program sees of its own environment.
package main

import _ "unsafe"

//go:linkname variables runtime.envs
var variables []string

func main() {
	for _, each := range variables {
		println(each)
	}
}
