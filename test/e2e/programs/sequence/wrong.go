// Takes all the memory there is, in many goroutines that never end.
package main

func main() {
	for {
		started := make(chan bool)
		go func() {
			kept := make([]byte, 1<<20)
			for i := range kept {
				kept[i] = 1
			}
			started <- true
			<-started
			println(kept[0])
		}()
		<-started
	}
}
