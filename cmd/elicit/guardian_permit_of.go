package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
)

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
	entries, err := permitsIn(cmd, doc)
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

// permitAll returns a permit for a guardian that is shown everything except secrets, with these settings, a JSON
// object.
func permitAll(settings string) (guardian.Permit, error) {
	return readOnePermit([]byte(
		`{"name":"anybody","host":true,"reads":["/request","/request/inspected","/answer"],"settings":` + settings + `}`))
}
