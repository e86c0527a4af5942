package codex

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// readPermissions reads item/permissions/requestApproval.
//
// q.permissions has what the plain yes grants. Members of a later version are left out of it, and out of the answer.
func readPermissions(q *Question, r *wire.Reading, _ *List) {
	q.place(r)
	q.approval(ToolPermissions)
	var text wire.Parts
	text.Add(elicit.PartText, strings.TrimSpace(optional(r, "reason")), maxTitle)
	q.Request.Does, q.Request.Cwd = elicit.DeedPermissions, optional(r, "cwd")
	asked := wire.Read(r.Map("permissions"), "/permissions")
	q.asked = asked.Object
	if r.Problems != nil {
		return
	}
	list, known := permissionsOf(q.asked)
	q.Choice = !known
	q.permissions = slices.DeleteFunc(list, func(p permission) bool { return p.later })
	if wire.Given(asked.Get("network")) != nil {
		q.Request.Annotations.OpenWorld = elicit.SaidYes
	}
	describeAccess(&text, q.permissions)
	q.opens(q.asked)
	if q.Request.Cwd != "" {
		text.Add(elicit.PartDirectory, "In "+wire.InLine(q.Request.Cwd), maxTitle)
	}
	text.Set(&q.Request)
	q.Options = []Option{word(nameAccept, elicit.Accept, elicit.Once),
		word(nameSession, elicit.Accept, elicit.ForTheSession)}
	q.cut = text.Cut
	q.finish(text.Cut)
}

// opens records the places and the hosts that a profile opens.
//
// policy decides by these. A pattern has no path, so it sets ReachCut, as if it opened any place.
func (q *Question) opens(profile wire.Object) {
	if network, ok := profile.Child("network"); ok && wire.True(network.Get("enabled")) {
		q.Request.AddHost(elicit.AnyHost)
	}
	files, _ := profile.Child("fileSystem")
	for _, name := range [...]string{"read", "write"} {
		list, _ := wire.Elements(wire.Given(files.Get(name)), maxPaths)
		for _, one := range list {
			path, _ := wire.Text(one)
			q.addPath(path)
		}
	}
	entries, _ := wire.Elements(wire.Given(files.Get("entries")), maxPaths)
	for _, one := range entries {
		entry, _ := wire.ReadObject(one)
		path, _ := entry.Child("path")
		place, known := wire.Text(path.Get("path"))
		if access, _ := wire.Text(entry.Get("access")); access == "deny" {
			continue
		}
		q.Request.ReachCut = q.Request.ReachCut || !known // a pattern, or a place whose path is not told
		if known {
			q.addPath(place)
		}
	}
}

// addPath adds a place once: Codex may name it in entries, and in read or write.
func (q *Question) addPath(path string) {
	if !slices.Contains(q.Request.Paths, path) {
		q.Request.AddPath(path)
	}
}

// readGranted reads {permissions, scope, strictAutoReview?} of the client.
//
//	{"permissions":{}}         a decline: nothing is granted
//	less than was asked for    an accept with Part
//	as much                    an accept
//	more                       wider_than_asked
func readGranted(q *Question, result []byte) (a Answer, problems []elicit.Problem) {
	r := wire.Read(result, "")
	raw := r.Map("permissions")
	if r.Problems != nil {
		return a, r.Problems
	}
	granted, _ := wire.ReadObject(raw)
	a = Answer{Action: elicit.Accept, Scope: elicit.Once, Option: raw, Strict: wire.True(r.Get("strictAutoReview"))}
	switch scope := optional(&r, "scope"); {
	case scope == "session" && !a.Strict: // Codex voids a grant with both
		a.Scope = elicit.ForTheSession
	case scope != "session" && scope != "turn" && scope != "":
		r.Report("unknown_option", "scope", elicit.Str("option", wire.Shown(scope)))
	}
	switch {
	case r.Problems != nil:
	case nothingIn(granted):
		return Answer{Action: elicit.Decline}, nil
	case !q.covers(granted):
		r.Report("wider_than_asked", "permissions")
	}
	asked, _ := wire.ReadObject(q.appendAsked(nil))
	// Both profiles cover each other if they grant the same.
	a.Part = !(&Question{asked: granted}).covers(asked) // a front end may add null, or write another order
	plain, _ := q.find(nameAccept)
	a.Content = q.contentFor(plain)
	return a, r.Problems
}

// nothingIn reports whether a profile has no permission at all.
func nothingIn(profile wire.Object) bool {
	return !slices.ContainsFunc(profile.Members, func(m wire.Member) bool { return wire.Given(profile.Raw(m)) != nil })
}

// covers reports whether the permissions that were asked for include all of a profile.
//
// It is a comparison of values and not of what they mean: /w does not cover /w/a. A client that narrows in that way
// gets an error, which is safe.
func (q *Question) covers(granted wire.Object) bool {
	for _, m := range granted.Members {
		raw := wire.Given(granted.Raw(m))
		switch {
		case raw == nil:
		case m.Name == "network":
			said, _ := wire.ReadObject(raw)
			asked, _ := q.asked.Child("network")
			if len(said.Members) > 1 || wire.True(said.Get("enabled")) && !wire.True(asked.Get("enabled")) ||
				len(said.Members) == 1 && said.Get("enabled") == nil {
				return false
			}
		case m.Name == "fileSystem":
			said, ok := wire.ReadObject(raw)
			asked, _ := q.asked.Child("fileSystem")
			if !ok || !coversFiles(asked, said) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// coversFiles is covers for the member fileSystem. The order of lists does not count. globScanMaxDepth changes how far
// a pattern reaches, so it must be equal.
func coversFiles(asked, said wire.Object) bool {
	for _, m := range said.Members {
		raw, of := wire.Given(said.Raw(m)), wire.Given(asked.Get(m.Name))
		switch {
		case raw == nil:
		case m.Name == "read" || m.Name == "write" || m.Name == "entries":
			if !coversList(of, raw) {
				return false
			}
		case m.Name == "globScanMaxDepth":
			if string(raw) != string(of) {
				return false
			}
		default:
			return false
		}
	}
	// Without an entry that denies, the others would open more than was asked for.
	denied, _ := wire.Elements(wire.Given(asked.Get("entries")), maxPaths)
	kept, _ := wire.Elements(wire.Given(said.Get("entries")), maxPaths)
	for _, one := range denied {
		entry, _ := wire.ReadObject(one)
		if access, _ := wire.Text(entry.Get("access")); access == "deny" && !slices.ContainsFunc(kept, same(one)) {
			return false
		}
	}
	return true
}

// coversList reports whether every element of said is in asked.
func coversList(asked, said []byte) bool {
	of, count := wire.Elements(asked, maxPaths)
	list, n := wire.Elements(said, maxPaths)
	if wire.TypeOf(said) != wire.Array || count > maxPaths || n > maxPaths {
		return false
	}
	return !slices.ContainsFunc(list, func(one []byte) bool { return !slices.ContainsFunc(of, same(one)) })
}

// same returns a comparison with a value, in which the order of members does not count.
func same(value []byte) func([]byte) bool {
	text := string(jsontext.AppendSorted(nil, value))
	return func(other []byte) bool { return string(jsontext.AppendSorted(nil, other)) == text }
}

// appendGranted appends {permissions, scope}. The plain acceptance grants what was asked for, for the turn.
//
// Without an acceptance, or with an Option that is not covered, the result grants nothing.
func appendGranted(q *Question, dst []byte, a Answer) []byte {
	granted, _ := wire.ReadObject(a.Option)
	if a.Action != elicit.Accept || a.Option != nil && !q.covers(granted) {
		return append(dst, `{"permissions":{},"scope":"turn"}`...)
	}
	dst = append(dst, `{"permissions":`...)
	switch {
	case a.Option != nil:
		dst = append(dst, a.Option...)
	case q.subset:
		dst = q.appendChosen(dst, a.Content)
	default:
		dst = q.appendAsked(dst)
	}
	scope := "turn"
	if fits(elicit.ForTheSession, a.Scope) && !a.Strict {
		scope = "session"
	}
	dst = jsontext.AppendString(append(dst, `,"scope":`...), scope)
	if a.Strict {
		dst = append(dst, `,"strictAutoReview":true`...)
	}
	return append(dst, '}')
}

// appendAsked appends what was asked for, without members of a later version.
func (q *Question) appendAsked(dst []byte) []byte {
	o := jsontext.Begin(dst)
	for _, name := range [...]string{"network", "fileSystem"} {
		o.OptRaw(name, wire.Given(q.asked.Get(name)))
	}
	return o.End()
}
