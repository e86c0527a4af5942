package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
)

// withoutMember returns a JSON object without the member of this name.
func withoutMember(v gjson.Result, name string) []byte { return appendObject(nil, membersOf(v, name)) }

// membersOf lists the members of an object, except the one of this name.
func membersOf(v gjson.Result, except string) (members []elicit.Arg) {
	v.ForEach(func(k, v gjson.Result) bool {
		if k.String() != except {
			members = append(members, elicit.Raw(k.String(), v.Raw))
		}
		return true
	})
	return members
}

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

// undeclaredReads returns a note for each pattern that a permit allows without effect, because the module does not
// declare it.
func undeclaredReads(g guardian.Permit) (notes []string) {
	for _, p := range g.Reads {
		if !slices.ContainsFunc(g.Declared.Reads, func(d guardian.Pattern) bool { return overlap(d, p) }) {
			notes = append(notes, fmt.Sprintf("%s is permitted without effect, because %s does not declare it", p, g.Name))
		}
	}
	return notes
}

// overlap reports whether two patterns can name the same place, or places of which one is inside the other.
func overlap(p, q guardian.Pattern) bool {
	a, b := strings.Split(p.String(), "/"), strings.Split(q.String(), "/")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && a[i] != "*" && b[i] != "*" {
			return false
		}
	}
	return true
}

// permitOf finds the permit of a module in a file: the permit with its digest, else with its name, else the only
// permit. It ignores a digest that the file pins, because an author tests a new build of the module under the old
// permit. With file "" it returns the default permit. The entry is the permit as the file has it.
func permitOf(cmd *cobra.Command, m *guest.Module, file string) (g guardian.Permit, e permitEntry, err error) {
	if file == "" {
		g, err = readOnePermit(defaultPermit(m))
		return g, e, err
	}
	doc, err := readDocument(cmd, file)
	if err != nil {
		return g, e, err
	}
	entries, err := doc.permits(cmd)
	if err != nil {
		return g, e, err
	}
	chosen := slices.IndexFunc(entries, func(e permitEntry) bool { return e.Get("digest").String() == m.Digest })
	if chosen < 0 {
		chosen = slices.IndexFunc(entries, func(e permitEntry) bool { return e.Get("name").String() == m.Manifest.Name })
	}
	if chosen < 0 && len(entries) == 1 {
		chosen = 0
	}
	if chosen < 0 {
		return g, e, fmt.Errorf("%s has no permit for %s; `elicit guardian pin` prints one", doc.name, m.Manifest.Name)
	}
	e = entries[chosen]
	list := "[" + string(withData(withModule(gjson.ParseBytes(withoutMember(e.Result, "digest")), m), "")) + "]"
	permits, problems := guardian.ReadPermits(gjson.Parse(list))
	if len(problems) > 0 {
		for i := range problems {
			problems[i].Pointer = e.at + strings.TrimPrefix(problems[i].Pointer, "/0")
		}
		doc.printProblems(cmd.ErrOrStderr(), problems)
		return g, e, errInvalid
	}
	return permits[0], e, nil
}

// readOnePermit reads one permit that this program has written.
func readOnePermit(text []byte) (guardian.Permit, error) {
	permits, problems := guardian.ReadPermits(gjson.Parse("[" + string(text) + "]"))
	if len(problems) > 0 {
		return guardian.Permit{}, fmt.Errorf("the module's own permit cannot be used: %s", problems[0].Code)
	}
	return permits[0], nil
}

// permitAll returns a permit for a guardian that is shown everything except secrets, with these settings, a JSON
// object.
func permitAll(settings string) (guardian.Permit, error) {
	return readOnePermit([]byte(
		`{"name":"anybody","host":true,"reads":["/request","/request/inspected","/answer"],"settings":` + settings + `}`))
}

// permitEntry is one permit of a file, and the pointer to it.
type permitEntry struct {
	gjson.Result
	at string
}

// permits lists the permits of a file, which holds one permit, a list of permits, or {"guardians":[…]}.
func (d document) permits(cmd *cobra.Command) (entries []permitEntry, err error) {
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
