// Package abi is the interface to the engine that C, Wasm and the bindings share: byte documents in, byte documents
// out.
//
// Two kinds of calls come in. A stateless operation takes a JSON object and gives a JSON object:
//
//	Eval("check", {"schema":{…,"properties":{"n":{"type":"integer","default":3}},"required":["n"]}})
//	    → {"content":{"n":3}}
//	Eval("parse", {"document_text":"{\"a\":1,\"a\":2}"})
//	    → {"problems":[{"code":"json_duplicate_key","pointer":"/a","start":7,"end":10}]}
//
// A Table keeps engines, connections, machines of the asking side and forms under handles, and gives them inputs:
//
//	Open({"policy":{…}})                    → a handle, {"effects":[…]}
//	Step(handle, {"event":"opened",…})      → {"effects":[…]}
//	Close(handle)
//
// Every document from outside passes the gate (package jsontext) before anything reads it: UTF-8, one value, no name
// twice, and bounds of size, depth and members. Nothing here keeps the bytes of an input, and nothing returned shares
// memory with one, so a caller in C or Wasm may free both sides when it likes.
//
// Reading order: table.go and machine.go (handles), engine.go, relay.go, asking.go, asker.go (the machines), next.go
// (the loop), call.go and line.go (the ways in), describe.go, guests.go, managed.go, texts.go, form.go. The operations
// are in eval_*.go. The files *_core.go, *_answering.go, more.go and more_browser.go say what each module has.
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

// evalOp performs one operation. in is a JSON object that has passed the gate. The answer is appended to dst. The
// answer is {"problems":[…]} or the document that the comment of the operation shows. A problem with a member of in has
// a pointer into in. An operation has no state, no clock and no random bytes: one input has one answer everywhere.
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

// A Module is a build of the engine. Each has the operations of those before it. Build tags choose it: browser and core
// for core, browser for browser, and none for full.
type Module string

// These are the modules.
const (
	Core    Module = "core"    // reads a form, checks an answer, judges texts and URLs
	Browser Module = "browser" // the answering side
	Full    Module = "full"
)

// evalOrder gives the operations their numbers, from FirstEval on, also in a build without some of them, and tells the
// first module that has them. New ones go to the end. Callers in other languages have compiled these numbers in, so no
// row moves and none is taken away.
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
// The first spelling that is there counts: text, then base64, then inline. Inline, the raw JSON text is the document,
// with its white space. The two other spellings are for documents that are no JSON, or that a JSON writer would
// respell, such as 1e400. false says that there is none, or that the base64 is not in its one spelling.
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

// member is an exact look-up. It never reads a name as a gjson path. gjson would read "a.b" as a path and "@pretty" as
// a modifier, so a peer's name must never get there.
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

// It is the answer of every operation that fails, with at least one problem. dst is the caller's, and what stands in it
// stays.
func appendProblem(dst []byte, p ...elicit.Problem) []byte {
	dst = append(dst, `{"problems":`...)
	return append(elicit.AppendList(dst, p), '}')
}

// missing appends the answer for a parameter that is absent or unreadable.
func missing(dst []byte, name string) []byte {
	return appendProblem(dst, elicit.Problem{Code: "bad_input", Pointer: string(jsontext.AppendToken(nil, name))})
}

// gate accepts one well-formed JSON object. The root must be an object, because every input here has named members. The
// result aliases input.
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
