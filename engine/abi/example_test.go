package abi_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine/abi"
)

// Eval has every operation that needs no open engine: the same in C, in Wasm, and on a line of JSON.
func ExampleEval() {
	fmt.Printf("%s\n", abi.Eval("check", []byte(`{"schema":{"type":"object","properties":{"n":{"type":"integer"}}},`+
		`"content":{"n":"x"}}`), nil))
	// Output:
	// {"problems":[{"code":"wrong_type","pointer":"/n","args":{"expected":"integer","got":"string"}}]}
}

// A Table has the engines that foreign callers have opened. Every call is bytes in, bytes out.
func ExampleTable() {
	t := &abi.Table{}
	h, _, status := t.Open([]byte(`{"config":{},"at":1000,`+
		`"random":"0000000000000000000000000000000000000000000000000000000000000000"}`), nil)
	fmt.Println(status == abi.OK)
	out, _ := t.Step(h, []byte(`{"event":{"event":"ticked"},"at":2000,`+
		`"random":"0000000000000000000000000000000000000000000000000000000000000000"}`), nil)
	fmt.Println(len(out) > 0, t.Close(h) == abi.OK)
	// Output:
	// true
	// true true
}
