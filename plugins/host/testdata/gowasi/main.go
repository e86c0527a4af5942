//go:build wasip1

// A guest in standard Go, as large and as demanding as they come: fmt, encoding/json, maps, goroutines, the collector.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
	"unsafe"
)

var buffer, output []byte

//go:wasmexport elicit_guardian_abi_1_0
func version() {}

//go:wasmexport elicit_alloc
func alloc(n int32) unsafe.Pointer {
	buffer = make([]byte, n+1)
	return unsafe.Pointer(&buffer[0])
}

func say(b []byte) int64 {
	output = b
	return int64(uintptr(unsafe.Pointer(&output[0])))<<32 | int64(len(output))
}

//go:wasmexport elicit_evaluate
func evaluate(_, n int32) int64 {
	var question struct {
		Request struct{ Message string }
	}
	if err := json.Unmarshal(buffer[:n], &question); err != nil {
		panic(err)
	}
	message := question.Request.Message
	switch message {
	case "exit":
		os.Exit(0)
	case "panic":
		panic("on purpose")
	case "sleep":
		began := time.Now()
		time.Sleep(time.Hour)
		message = time.Since(began).String()
	case "read a file":
		_, err := os.ReadFile("/etc/passwd")
		message = fmt.Sprint(err)
	case "read the input":
		_, err := os.Stdin.Read(make([]byte, 10))
		message = fmt.Sprint(err)
	case "look around":
		_, set := os.LookupEnv("HOME")
		message = fmt.Sprint(os.Args, os.Environ(), set, time.Now().UTC())
	case "collect":
		for i := range 40 {
			buffer = append([]byte{byte(i)}, make([]byte, 100_000)...)
		}
		runtime.GC()
	case "goroutines":
		words := make(chan string)
		go func() {
			for _, w := range strings.Fields("from somewhere else") {
				words <- w
			}
			close(words)
		}()
		message = ""
		for w := range words {
			message += w
		}
	case "maps":
		m := map[int]int{}
		for i := range 20 {
			m[i] = i
		}
		message = ""
		for k := range m {
			message += fmt.Sprint(k, " ")
		}
	case "print":
		fmt.Println("to standard output")
		fmt.Fprint(os.Stderr, "to standard error\nwithout an end")
		println("from", 1, "runtime")
	}
	verdict, _ := json.Marshal(map[string]any{"v": 1, "decision": "ask",
		"findings": []map[string]string{{"code": "said", "message": message}}})
	return say(verdict)
}

//go:wasmexport elicit_check_settings
func checkSettings(_, n int32) int64 { return say([]byte(`{"v":1,"problems":[]}`)) }

func main() {}
