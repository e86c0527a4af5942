package abi

import (
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Guests are the modules that a table keeps and may be able to run. They belong to the table and not to one engine. Any
// goroutine may call them. A consult that they do not know goes out to the host. They stay until the process ends,
// since any engine may come to name them.
type Guests interface {
	engine.Guests
	// Load checks a module, keeps it, and describes it as JSON. It does not keep a module with problems.
	Load(module []byte) (description []byte, problems []elicit.Problem)
	// Keep copies a data document of a guardian, and gives the digest by which permits name it.
	Keep(document []byte) (digest string, problems []elicit.Problem)
}

// Load takes the bytes of a guardian's module, keeps it, and appends its description:
//
//	{"digest","manifest":{…},"abi","wasi","initialize","fuel_version","sizes":{…},"metered"?:"base64"}
//
// plugins/host has the checks: the imports, the exports, the manifest and the sizes.
func (t *Table) Load(module, dst []byte) ([]byte, Status) {
	switch {
	case t.Guests == nil:
		return appendProblem(dst, elicit.Problem{Code: "no_guests"}), Invalid
	case len(module) > MaxInput:
		return appendProblem(dst, elicit.Problem{Code: "module_too_large", Args: []elicit.Arg{
			elicit.Num("offset", MaxInput), elicit.Str("detail", "the module has more bytes than the limit")}}), TooLarge
	}
	description, problems := t.Guests.Load(module)
	if len(problems) > 0 {
		return appendProblem(dst, problems...), Invalid
	}
	return append(dst, description...), OK
}

// Keep takes the bytes of a guardian's data document, keeps it for all engines, and appends {"digest","size"}. The
// document may be any bytes. Its digest is SHA-256 of them.
func (t *Table) Keep(document, dst []byte) ([]byte, Status) {
	switch {
	case t.Guests == nil:
		return appendProblem(dst, elicit.Problem{Code: "no_guests"}), Invalid
	case len(document) > guardian.MaxData:
		return appendProblem(dst, guardian.DataTooLarge(len(document))), TooLarge
	}
	digest, problems := t.Guests.Keep(document)
	if len(problems) > 0 {
		return appendProblem(dst, problems...), Invalid
	}
	o := jsontext.With(dst, "digest", digest)
	o.Int("size", int64(len(document)))
	return o.End(), OK
}
