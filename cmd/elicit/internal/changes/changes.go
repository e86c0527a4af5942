// Package changes says how two configurations of an engine differ, in words and as JSON.
package changes

import (
	"bytes"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/policy"
)

// Change is one difference between two configurations. The digests are hex SHA-256. A digest is "" when there is none,
// as for a guardian that is a program.
type Change struct {
	What string `json:"what"`           // configuration, policy, guardian, permit, or the name of another member
	Name string `json:"name,omitempty"` // of the layer of policy, or of the guardian
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	New  bool   `json:"new,omitempty"`  // only the second configuration has it
	Gone bool   `json:"gone,omitempty"` // only the first configuration has it
}

// String describes the change for a person in one line.
func (c Change) String() string {
	line, digest := cli.OneLine(strings.TrimSpace(c.What+" "+c.Name)), cli.OneLine(c.From+c.To)
	if digest != "" {
		digest = ": " + digest
	}
	switch {
	case c.What == "permit":
		return "guardian " + cli.OneLine(c.Name) + " has another permit"
	case c.New:
		return line + " is new" + digest
	case c.Gone:
		return line + " is gone" + digest
	case digest == "":
		return line + " changed"
	}
	return line + " " + digestOrNone(c.From) + " → " + digestOrNone(c.To)
}

// Brief is String without digests, or "" for a change that only its digests tell.
func (c Change) Brief() string {
	if c.What == "configuration" {
		return ""
	}
	c.From, c.To = "", ""
	return c.String()
}

func digestOrNone(digest string) string {
	if digest == "" {
		return "no module"
	}
	return cli.OneLine(digest)
}

// Between lists the differences between two configurations. The first entry has the digests of the whole documents.
func Between(before, after []byte) (list []Change) {
	list = append(list, Change{What: "configuration", From: guardian.Digest(before), To: guardian.Digest(after)})
	was, is := gjson.ParseBytes(before), gjson.ParseBytes(after)
	for _, layer := range policy.Layers() {
		c := Change{What: "policy", Name: layer.String(), From: policyDigest(was, layer.String()),
			To: policyDigest(is, layer.String())}
		if c.New, c.Gone = c.From == "", c.To == ""; c.From != c.To {
			list = append(list, c)
		}
	}
	return append(append(list, guardianChanges(was.Get("guardians"), is.Get("guardians"))...), memberChanges(was, is)...)
}

func policyDigest(config gjson.Result, layer string) string {
	if text := config.Get("policy." + layer + "_text"); text.Exists() {
		return guardian.Digest([]byte(text.String()))
	}
	if doc := config.Get("policy." + layer); doc.Exists() {
		return guardian.Digest([]byte(doc.Raw))
	}
	return ""
}

// guardianChanges compares guardians by name: their modules, then the rest of their permits.
func guardianChanges(was, is gjson.Result) (list []Change) {
	named := func(permits gjson.Result, name string) (found gjson.Result) {
		for _, g := range permits.Array() {
			if g.Get("name").String() == name {
				return g
			}
		}
		return found
	}
	digest := func(g gjson.Result) string { return g.Get("digest").String() }
	permit := func(g gjson.Result) string { // "declared" is part of the module, and the digest stands for it
		return string(cli.WithoutMember(gjson.ParseBytes(cli.WithoutMember(g, "digest")), "declared"))
	}
	for _, g := range was.Array() {
		name := g.Get("name").String()
		next := named(is, name)
		if c := (Change{What: "guardian", Name: name, From: digest(g), To: digest(next), Gone: !next.Exists()}); c.Gone ||
			c.From != c.To {
			list = append(list, c)
		}
		if next.Exists() && permit(g) != permit(next) {
			list = append(list, Change{What: "permit", Name: name})
		}
	}
	for _, g := range is.Array() {
		if name := g.Get("name").String(); !named(was, name).Exists() {
			list = append(list, Change{What: "guardian", Name: name, To: digest(g), New: true})
		}
	}
	return list
}

// memberChanges names the other members that differ. A configuration without grants does not change them.
func memberChanges(was, is gjson.Result) (list []Change) {
	seen := map[string]bool{"policy": true, "guardians": true, "grants": !is.Get("grants").Exists()}
	for _, config := range []gjson.Result{was, is} {
		config.ForEach(func(k, _ gjson.Result) bool {
			if name := k.String(); !seen[name] {
				seen[name] = true
				if cli.Child(was, name).Raw != cli.Child(is, name).Raw {
					list = append(list, Change{What: name})
				}
			}
			return true
		})
	}
	return list
}

// Tracker keeps the configuration in force while the records of a journal are read.
type Tracker struct{ Config []byte } // nil before the first

// Add takes the next record, and lists its changes to the configuration before. The first configuration has none.
func (c *Tracker) Add(rec journal.Record) (list []Change) {
	config := ConfigurationOf(gjson.ParseBytes(rec.Event))
	if config == nil {
		return nil
	}
	if c.Config != nil && !bytes.Equal(c.Config, config) {
		list = Between(c.Config, config)
	}
	c.Config = config
	return list
}

// ConfigurationOf returns the configuration that an event puts in force, and nil when there is none. A configuration is
// in force even if one of its policies has a mistake.
func ConfigurationOf(ev gjson.Result) []byte {
	if ev.Get("event").String() != "configured" || ev.Get("refused").Exists() {
		return nil
	}
	config := []byte(ev.Get("config").Raw)
	if text := ev.Get("config_text"); text.Exists() {
		config = []byte(text.String())
	}
	if problems, _ := engine.CheckConfig(config); len(problems) > 0 {
		return nil
	}
	return config
}

// Headline returns the line for a record of the event "configured".
func (c *Tracker) Headline(ev gjson.Result) string {
	switch {
	case ev.Get("refused").Exists():
		return "another configuration was refused"
	case c.Config != nil && bytes.Equal(c.Config, ConfigurationOf(ev)):
		return "configured as before"
	case c.Config != nil:
		return "configured anew"
	}
	return "configured"
}
