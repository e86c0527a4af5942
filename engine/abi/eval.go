// Package abi is the interface to the engine that C, Wasm and the bindings share: byte documents in, byte documents
// out.
//
// Eval runs one stateless operation. The interfaces add nothing to it, so one set of vectors tests them all.
package abi

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/base64"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// evalOp performs one operation. in is a JSON object that has passed the gate. The answer is appended to dst.
type evalOp func(in gjson.Result, dst []byte) []byte

// evalOps has the stateless operations of the module core, by name. answeringOps has those that the module browser has
// too, and moreOps those of the full module alone.
var evalOps = map[string]evalOp{
	"check":   evalCheck,
	"coerce":  evalCoerce,
	"compile": evalCompile,
	"explain": evalExplain,
	"inspect": evalInspect,
	"parse":   evalParse,
}

// performs tells whether this build has the operation.
func performs(op string) bool {
	return evalOps[op] != nil || answeringOps[op] != nil || moreOps[op] != nil
}

// A Module is a build of the engine. Each has the operations of those before it.
type Module string

// These are the modules.
const (
	Core    Module = "core"    // reads a form, checks an answer, judges texts and URLs
	Browser Module = "browser" // the answering side
	Full    Module = "full"
)

// evalOrder gives the operations their numbers, from FirstEval on, also in a build without some of them, and tells the
// first module that has them. New ones go to the end.
var evalOrder = []struct {
	name  string
	since Module
}{
	{"check", Core}, {"coerce", Core}, {"compile", Core}, {"decide", Browser}, {"decode", Browser}, {"encode", Browser},
	{"inspect", Core}, {"lint", Full}, {"parse", Core}, {"replay", Browser}, {"run", Browser}, {"simulate", Full},
	{"explain", Core}, {"consult", Browser}, {"relay", Browser}, {"seal", Full}, {"unseal", Full}, {"asking", Full},
	{"decode_interrupts", Full}, {"answer_interrupts", Full}, {"decode_hook", Full}, {"encode_hook", Full},
	{"decode_codex", Full}, {"encode_codex", Full}, {"impacts", Full}, {"compare", Full}, {"encrypt", Full},
	{"decrypt", Full},
}

// OpsWithout lists the operations that a module leaves out, in the order of their names.
func OpsWithout(m Module) (names []string) {
	for _, op := range evalOrder {
		if m != Full && op.since != Core && op.since != m {
			names = append(names, op.name)
		}
	}
	slices.Sort(names)
	return names
}

// evalLimits bounds the input of one operation. They are wider than the limits of any document in it. So a document
// over its own limits is reported under those.
var evalLimits = jsontext.Limits{Bytes: 4 << 20, Depth: 128, Members: 1 << 20}

// atRestLimits has room for a change whose state, records and entries are all as large as a store takes.
var atRestLimits = jsontext.Limits{Bytes: 32 << 20}

// Eval runs the stateless operation op on the JSON object in, and appends one JSON document to dst. It never fails: for
// an unknown operation or unreadable input, the document is {"problems":[…]}.
func Eval(op string, in, dst []byte) []byte {
	run := evalOps[op]
	if run == nil {
		run = answeringOps[op]
	}
	if run == nil {
		run = moreOps[op]
	}
	if run == nil {
		return appendProblem(dst, elicit.Problem{Code: "unknown_op", Args: []elicit.Arg{elicit.Str("op", op)}})
	}
	limits := evalLimits
	if op == "encrypt" || op == "decrypt" {
		limits = atRestLimits
	}
	root, fault := gate(in, limits)
	if fault != nil {
		return appendProblem(dst, *fault)
	}
	return run(root, dst)
}

// document reads the document parameter name: inline as name, as exact text in name_text, or as bytes in name_base64.
func document(in gjson.Result, name string) ([]byte, bool) {
	if v := member(in, name+"_text"); v.Type == gjson.String {
		return []byte(v.String()), true
	}
	if v := member(in, name+"_base64"); v.Type == gjson.String {
		return base64.Read(nil, v.String())
	}
	v := member(in, name)
	return []byte(v.Raw), v.Exists()
}

// member is an exact look-up. It never reads a name as a gjson path.
func member(in gjson.Result, name string) (found gjson.Result) {
	in.ForEach(func(k, v gjson.Result) bool {
		if k.String() == name {
			found = v
			return false
		}
		return true
	})
	return found
}

func appendProblem(dst []byte, p ...elicit.Problem) []byte {
	dst = append(dst, `{"problems":`...)
	return append(elicit.AppendList(dst, p), '}')
}

// missing appends the answer for a parameter that is absent or unreadable.
func missing(dst []byte, name string) []byte {
	return appendProblem(dst, elicit.Problem{Code: "bad_input", Pointer: string(jsontext.AppendToken(nil, name))})
}

// gate accepts one well-formed JSON object.
func gate(input []byte, limits jsontext.Limits) (gjson.Result, *elicit.Problem) {
	if f := jsontext.Check(input, limits); f != nil {
		p := elicit.FromFault(f)
		return gjson.Result{}, &p
	}
	root := gjson.ParseBytes(input)
	if !root.IsObject() {
		return root, &elicit.Problem{Code: "bad_input"}
	}
	return root, nil
}
