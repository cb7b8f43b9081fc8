// How: embeds files of the host into the program.
// Expected: compile_error: only files below the program's folder can be embedded.
package main

import _ "embed"

//go:embed /etc/shadow
var shadow string

//go:embed ../../etc/passwd
var passwd string

func main() { println(shadow, passwd) }
