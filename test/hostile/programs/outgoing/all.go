// How: as all.py, by Go's net.
// Expected: exited 0, "tried"; nothing arrives.
package main

import (
	"fmt"
	"net"
	"os"
)

func main() {
	a := os.Args
	for _, place := range [][2]string{
		{"tcp", "127.0.0.1:" + a[2]}, {"udp", "127.0.0.1:" + a[3]}, {"udp", "127.0.0.1:" + a[4]},
		{"tcp", "[::1]:" + a[5]}, {"udp", "[::1]:" + a[6]}, {"unix", "@" + a[7]},
	} {
		connection, err := net.Dial(place[0], place[1])
		if err == nil {
			connection.Write([]byte(a[1]))
			connection.Close()
		}
	}
	fmt.Println("tried")
}
