// Package note is what tests of Go tell how they went. The planner puts calls of it into their text; the program under test
// shares the process and could make the same calls, so all that is said here is only claimed.
package note

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"sync"
	"syscall"
	"testing"
)

const (
	notesMax = 4096
	saidMax  = 1000
	// Of all messages together: what is said has a bound.
	toldMax = 1 << 19
	skipped = "skipped, which is not passed"
)

type claim struct {
	ID      string   `json:"id"`
	Verdict string   `json:"verdict"`
	Message string   `json:"message"`
	Passed  [][2]int `json:"passed"`
	Failed  [][2]int `json:"failed"`
	Stdout  string   `json:"stdout"`
}

var (
	mutex          sync.Mutex
	out            = takeOutput()
	claims         = []claim{}
	told           int
	passed, failed map[int]int
	verdict, said  string
)

// takeOutput makes standard output private before the program is initialised; what that prints goes where its errors go.
func takeOutput() int {
	fd, err := syscall.Dup(1)
	if err == nil {
		syscall.CloseOnExec(fd)
		err = syscall.Dup3(2, 1, 0)
	}
	if err != nil {
		os.Exit(1)
	}
	return fd
}

// Test begins a test, one of `total`; what it returns is deferred in it. Tests run one after the other.
func Test(t *testing.T, id string, total int) func() {
	mutex.Lock()
	passed, failed, verdict, said = map[int]int{}, map[int]int{}, "", ""
	mutex.Unlock()
	// The first clean-up is the last that runs, when all subtests are over.
	t.Cleanup(func() { end(t, id, total) })
	return caught(t)
}

// Sub begins a subtest; what it returns is deferred in it.
func Sub(t *testing.T) func() {
	t.Cleanup(func() {
		if t.Skipped() {
			tell("wrong_answer", skipped)
		}
	})
	return caught(t)
}

// A panic fails a test, and not all tests behind it too.
func caught(t *testing.T) func() {
	return func() {
		if value := recover(); value != nil {
			text := func() (text string) {
				defer func() {
					if recover() != nil {
						text = "panic"
					}
				}()
				return fmt.Sprintf("panic: %v", value)
			}()
			tell("runtime_error", text)
			t.Error(text)
		}
	}
}

// Pass notes that an assertion held.
func Pass(number int) {
	mutex.Lock()
	defer mutex.Unlock()
	passed[number]++
}

// Fail notes that an assertion did not hold.
func Fail(number int) {
	_, file, line, _ := runtime.Caller(1)
	tell("wrong_answer", fmt.Sprintf("%s:%d: the assertion failed", filepath.Base(file), line))
	mutex.Lock()
	defer mutex.Unlock()
	failed[number]++
}

func tell(what, text string) {
	mutex.Lock()
	defer mutex.Unlock()
	if verdict == "" {
		verdict, said = what, text
	}
}

func end(t *testing.T, id string, total int) {
	if t.Skipped() {
		tell("wrong_answer", skipped)
	} else if t.Failed() {
		tell("wrong_answer", "the test failed")
	}
	mutex.Lock()
	defer mutex.Unlock()
	if verdict == "" {
		verdict = "accepted"
	}
	if len(said) > saidMax {
		said = said[:saidMax]
	}
	if told += len(said); told > toldMax {
		said = ""
	}
	claims = append(claims, claim{id, verdict, said, pairs(passed), pairs(failed), ""})
	if len(claims) == total {
		send()
	}
}

func pairs(counts map[int]int) [][2]int {
	list := make([][2]int, 0, len(counts))
	for number, count := range counts {
		list = append(list, [2]int{number, count})
	}
	sort.Slice(list, func(i, j int) bool { return list[i][0] < list[j][0] })
	if len(list) > notesMax {
		list = list[:notesMax]
	}
	return list
}

func send() {
	body, err := json.Marshal(map[string]any{"failed": nil, "tests": claims})
	if err != nil {
		os.Exit(1)
	}
	frame := make([]byte, 4, 4+len(body))
	binary.BigEndian.PutUint32(frame, uint32(len(body)))
	frame = append(frame, body...)
	for len(frame) > 0 {
		n, err := syscall.Write(out, frame)
		if err != nil && err != syscall.EINTR {
			os.Exit(1)
		}
		if n > 0 {
			frame = frame[n:]
		}
	}
	os.Exit(0)
}
