// Starts itself until it is refused, and says so; so do its children. Expected: runtime_error (limit processes).
package main

import "os/exec"

func main() {
	for {
		if err := exec.Command("/proc/self/exe").Start(); err != nil {
			panic(err)
		}
	}
}
