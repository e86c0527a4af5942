package abi

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/base64"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Managed is the policy of the administrator of the machine, as a host has read it. People read the path, also in
// problems. It decides nothing.
type Managed struct {
	Text []byte // the document; nil if the machine has none
	Path string // where it is
}

// appendPolicies appends {"policy":{"managed_text","managed_path"}}, without members if there is no policy.
func (m Managed) appendPolicies(dst []byte) []byte {
	o := jsontext.Begin(nil)
	if m.Text != nil {
		o.Strs("managed_text", string(m.Text), "managed_path", m.Path)
	}
	return append(append(append(dst, `{"policy":`...), o.End()...), '}')
}

// governor puts a managed policy into every configuration and list of policies of an input. An input that it cannot
// read stays as it is, and its reader refuses it. The first problem is kept. It edits texts and reads no policy, so a
// member that it does not know stays where it was. It must edit each place where a caller could give another policy:
// configurations when something is opened or configured, and lists of policies.
type governor struct {
	Managed
	problem *elicit.Problem
}

// governed is wider than the limits of every reader, so that a reader refuses what govern cannot read.
var governed = jsontext.Limits{Bytes: MaxLine, Depth: 141, Members: 1 << 20}

// govern returns the input of an operation with the managed policy in it. Operations that take no policy are returned
// as they are, without a look at their input.
func (m Managed) govern(op Op, input []byte) ([]byte, *elicit.Problem) {
	if op != OpOpen && op != OpStep && op < FirstEval {
		return input, nil
	}
	// The input is copied only for an operation that takes a policy. Its bytes stay the caller's.
	root, fault := gate(input, governed)
	if fault != nil {
		return input, nil
	}
	g := governor{Managed: m}
	var out []byte
	switch op {
	// Three shapes of an input that opens: a machine with its own member, {"config":…}, and a bare configuration.
	case OpOpen:
		switch {
		case slices.ContainsFunc(machineNames[:], func(name string) bool { return member(root, name).Exists() }):
			out = g.machines(root)
		case member(root, "config").Exists():
			out = edited(root, "config", g.config)
		default:
			out = g.config(root)
		}
	case OpStep:
		out = g.input(root)
	case EvalOp("decide"), EvalOp("simulate"):
		out = edited(root, "policy", g.policies)
	case EvalOp("run"):
		out = g.inputs(edited(root, "config", g.config))
	case EvalOp("relay"), EvalOp("asking"):
		out = g.inputs(g.machines(root))
	default:
		return input, nil
	}
	return out, g.problem
}

// machines edits the configuration of each machine that has an engine in it. An input with two machines is edited in
// both places. The file need not know which one is opened.
func (g *governor) machines(root gjson.Result) []byte {
	for _, machine := range machineNames {
		if member(root, machine).Exists() {
			root = gjson.ParseBytes(edited(root, machine, func(v gjson.Result) []byte {
				return edited(v, "config", g.config)
			}))
		}
	}
	return []byte(root.Raw)
}

// input edits an event that configures.
func (g *governor) input(root gjson.Result) []byte {
	switch {
	case !isBare(root) && member(root, "event").IsObject():
		return edited(root, "event", g.input)
	case member(root, "event").Str == "configured":
		return edited(root, "config", g.config)
	}
	return []byte(root.Raw)
}

// inputs edits the list of inputs of a whole run. The vectors' operations have whole runs in them, with events that
// configure.
func (g *governor) inputs(doc []byte) []byte {
	return edited(gjson.ParseBytes(doc), "inputs", func(list gjson.Result) []byte {
		if !list.IsArray() {
			return []byte(list.Raw)
		}
		out := []byte{'['}
		list.ForEach(func(_, v gjson.Result) bool {
			out = jsontext.Comma(out)
			if v.IsObject() {
				out = append(out, g.input(v)...)
			} else {
				out = append(out, v.Raw...)
			}
			return true
		})
		return append(out, ']')
	})
}

func (g *governor) config(v gjson.Result) []byte { return edited(v, "policy", g.policies) }

// policies puts the document into the managed layer. It refuses another document there: it may be stricter, and would
// be lost. Example: {"user":{…}} becomes {"user":{…},"managed_text":"…","managed_path":"/etc/elicit/policy.json"}.
func (g *governor) policies(v gjson.Result) []byte {
	if !v.IsObject() {
		return []byte(v.Raw)
	}
	// The same document is taken: a host may have read the file itself.
	if doc, given := document(v, "managed"); given && string(doc) != string(g.Text) {
		g.problem = &elicit.Problem{Code: "managed_by_machine", Args: []elicit.Arg{elicit.Str("path", g.Path)}}
	}
	o := jsontext.Begin(nil)
	v.ForEach(func(k, layer gjson.Result) bool {
		if key := k.String(); key != "managed" && !strings.HasPrefix(key, "managed_") {
			o.Spelled(k.Raw, []byte(layer.Raw))
		}
		return true
	})
	o.Strs("managed_text", string(g.Text), "managed_path", g.Path)
	return o.End()
}

// spelled reports whether an object has a document in one of its spellings.
func spelled(v gjson.Result, name string) bool {
	return member(v, name).Exists() || member(v, name+"_text").Exists() || member(v, name+"_base64").Exists()
}

// edited returns an object with the document called name changed by edit, in each of its spellings. A document that is
// missing or null is an empty object. The other members keep their spelling and order. An object that lacks the
// document gets one, because leaving it out would be a way around the policy.
func edited(v gjson.Result, name string, edit func(gjson.Result) []byte) []byte {
	if !v.IsObject() {
		return []byte(v.Raw)
	}
	o := jsontext.Begin(nil)
	if !spelled(v, name) {
		o.Raw(name, edit(gjson.Parse("{}")))
	}
	v.ForEach(func(k, old gjson.Result) bool {
		key, value := k.String(), []byte(old.Raw)
		switch {
		// A null must not be a way to give no policy.
		case key == name && old.Type == gjson.Null:
			value = edit(gjson.Parse("{}"))
		case key == name:
			value = edit(old)
		case key == name+"_text" && old.Type == gjson.String:
			value = jsontext.AppendString(nil, editText([]byte(old.String()), edit))
		case key == name+"_base64" && old.Type == gjson.String:
			if doc, ok := base64.Read(nil, old.String()); ok {
				value = jsontext.AppendString(nil, base64.Append(nil, editText(doc, edit)))
			}
		}
		o.Spelled(k.Raw, value) // unescaping and escaping again could respell the key
		return true
	})
	return o.End()
}

// editText edits a document that is given as text. One that is no JSON stays as it is, and its reader refuses it.
func editText(doc []byte, edit func(gjson.Result) []byte) []byte {
	if root, fault := gate(doc, governed); fault == nil {
		return edit(root)
	}
	return doc
}
