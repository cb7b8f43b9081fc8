// Keeps 4 MiB blocks of written memory until the limit. Expected: memory_limit.
package main

var blocks [][]byte

func main() {
	for {
		block := make([]byte, 4<<20)
		for i := range block {
			block[i] = 1
		}
		blocks = append(blocks, block)
	}
}
