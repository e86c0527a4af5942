package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
)

// withModule returns a permit with the digest and the declaration of its module instead of the module's path. Members
// that the permit has itself stay as they are.
func withModule(v gjson.Result, m *guest.Module) []byte {
	var members []elicit.Arg
	given := map[string]bool{}
	v.ForEach(func(k, v gjson.Result) bool {
		if given[k.String()] = true; k.String() != "module" {
			members = append(members, elicit.Raw(k.String(), v.Raw))
		}
		return true
	})
	for _, own := range []elicit.Arg{elicit.Str("name", m.Manifest.Name), elicit.Str("digest", m.Digest),
		elicit.Raw("declared", string(declaration(m)))} {
		if !given[own.Name] {
			members = append(members, own)
		}
	}
	return appendObject(nil, members)
}

// defaultPermit returns the permit that a module gets when no file of permits names it: everything that the module
// declares, except secrets.
func defaultPermit(m *guest.Module) []byte {
	var reads guardian.Reads
	for _, p := range m.Manifest.Reads {
		reads = append(reads, withoutSecrets(p))
	}
	members := []elicit.Arg{elicit.Str("name", m.Manifest.Name), elicit.Str("digest", m.Digest),
		elicit.Raw("declared", string(declaration(m))), elicit.Raw("reads", string(reads.AppendJSON(nil)))}
	if m.WASI {
		members = append(members, elicit.Raw("wasi", "true"), elicit.Num("fuel", wasiFuel))
	}
	return appendObject(nil, members)
}

// wasiFuel is the default budget of a guest that needs WASI. Such a guest contains the runtime of its language; Go's
// runtime uses over a million fuel before the guardian starts.
const wasiFuel = 20_000_000

// withoutSecrets returns a pattern that shows no secret. Only a pattern with the exact name of an answer's field shows
// a secret, so withoutSecrets replaces the name by "*". The "*" covers also fields that p does not name, but the
// module's own declaration excludes them again.
func withoutSecrets(p guardian.Pattern) guardian.Pattern {
	tokens := strings.SplitN(p.String(), "/", 4)
	if len(tokens) < 3 || tokens[1] != "answer" {
		return p
	}
	tokens[2] = "*"
	wide, _ := guardian.ParsePattern(strings.Join(tokens, "/"))
	return wide
}

// declaration returns {"phases","reads","codes"?}, the member "declared" of a permit.
func declaration(m *guest.Module) []byte {
	var phases []string
	for _, p := range m.Manifest.Phases {
		phases = append(phases, quoted(string(p)))
	}
	members := []elicit.Arg{elicit.Raw("phases", "["+strings.Join(phases, ",")+"]"),
		elicit.Raw("reads", string(m.Manifest.Reads.AppendJSON(nil)))}
	if len(m.Manifest.Codes) > 0 {
		members = append(members, elicit.Raw("codes", jsonStrings(m.Manifest.Codes)))
	}
	return appendObject(nil, members)
}

// readOnePermit reads one permit that this program has written.
func readOnePermit(text []byte) (guardian.Permit, error) {
	permits, problems := guardian.ReadPermits(gjson.Parse("[" + string(text) + "]"))
	if len(problems) > 0 {
		return guardian.Permit{}, fmt.Errorf("the module's own permit cannot be used: %s", problems[0].Code)
	}
	return permits[0], nil
}

// permitEntry is one permit of a file, and the pointer to it.
type permitEntry struct {
	gjson.Result
	at string
}

// permitsIn lists the permits of a file, which holds one permit, a list of permits, or {"guardians":[…]}.
func permitsIn(cmd *cobra.Command, d document) (entries []permitEntry, err error) {
	if problems := d.problems(); len(problems) > 0 {
		d.printProblems(cmd.ErrOrStderr(), problems)
		return nil, errInvalid
	}
	root, at := gjson.ParseBytes(d.text), ""
	if root.IsObject() && root.Get("guardians").Exists() {
		inner := root.Get("guardians")
		var wrong []elicit.Problem
		root.ForEach(func(k, _ gjson.Result) bool {
			if k.String() != "guardians" && k.String() != "$schema" {
				token := strings.NewReplacer("~", "~0", "/", "~1").Replace(k.String())
				wrong = append(wrong, elicit.Problem{Code: "unknown_member", Pointer: "/" + token})
			}
			return true
		})
		if !inner.IsArray() {
			wrong = append(wrong, elicit.Problem{Code: "wrong_type", Pointer: "/guardians",
				Args: []elicit.Arg{elicit.Str("expected", "array")}})
		}
		if wrong != nil {
			d.printProblems(cmd.ErrOrStderr(), wrong)
			return nil, errInvalid
		}
		root, at = inner, "/guardians"
	}
	if !root.IsArray() {
		return []permitEntry{{root, at}}, nil
	}
	for i, e := range root.Array() {
		entries = append(entries, permitEntry{e, at + "/" + strconv.Itoa(i)})
	}
	return entries, nil
}
