package engine

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/schema"
)

// ConfigKey is a member of a configuration. Every member may be left out.
type ConfigKey struct {
	Name    string
	Type    string   // the JSON type of its value
	Default string   // the JSON value that stands for one left out; "" where the engine then keeps what it has
	Values  []string // the only strings allowed, where that is so
}

// ConfigKeys lists every member of a configuration, in the order in which it is read. Policy has a member for each
// layer of policy, as a document or, under the name with _text, as its exact text, so that problems in it keep their
// place. Its member managed_path says where the managed document was read, for people who read the journal.
func ConfigKeys() []ConfigKey {
	keys := make([]ConfigKey, len(configTable))
	for i := range configTable {
		keys[i] = configTable[i].ConfigKey
	}
	return keys
}

// AppendJSON appends {"name","type","default"?,"values"?}.
func (k ConfigKey) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "name", k.Name, "type", k.Type)
	if k.Default != "" {
		o.Raw("default", []byte(k.Default))
	}
	jsontext.OptStrings(&o, "values", k.Values)
	return o.End()
}

// configKey is a row of the table that the reader, describe and the documentation share. read takes the member called
// name from r and writes it into c. It runs for every row, also for a member that is missing: then it leaves the
// default. Rows are independent, so their order shows only in the order of problems.
type configKey struct {
	ConfigKey
	read func(r *configReader, name string, c *config)
}

// configReader keeps the problems inside policies apart: a policy with problems still holds, and fails closed.
type configReader struct {
	strict.Reader
	inPolicies []elicit.Problem
}

// configTable is in the order in which members are read. The reader, describe and the page of the configuration follow
// it.
var configTable = []configKey{
	{ConfigKey{"profile", "string", `"tolerant"`, []string{"tolerant", "2025-06-18", "2025-11-25", "2026-07-28"}},
		func(r *configReader, name string, c *config) { c.profile = readProfile(&r.Reader, name) }},
	{ConfigKey{"pauses", "boolean", "false", nil}, // emit Pause effects
		func(r *configReader, name string, c *config) { c.pauses = r.Flag(name) }},
	{ConfigKey{"join_duplicates", "boolean", "false", nil}, // one answer for the same question asked twice
		func(r *configReader, name string, c *config) { c.join = r.Flag(r.Renamed(name, "join")) }},
	{ConfigKey{"offer_scopes", "boolean", "false", nil}, // Show effects say for how long a yes may be remembered
		func(r *configReader, name string, c *config) { c.remember = r.Flag(r.Renamed(name, "remember")) }},
	{ConfigKey{"show_changes", "boolean", "false", nil}, // Show effects say what changed since the last yes
		func(r *configReader, name string, c *config) { c.changes = r.Flag(name) }},
	{ConfigKey{"servers", "array", "[]", nil}, // names known before any session is opened; see docs/reference/flagged.md
		func(r *configReader, name string, c *config) { c.servers = readServers(&r.Reader, name) }},
	{ConfigKey{"grants", "array", "", nil}, // those with scope always, as Remember effects told them
		func(r *configReader, name string, c *config) {
			c.granted = r.Take(name).Exists()
			c.grants = readRemembered(&r.Reader, name, elicit.Always, maxGrants, event.Opened{})
		}},
	{ConfigKey{"guardians", "array", "[]", nil}, // whom to consult; see docs/guardians.md
		func(r *configReader, name string, c *config) { c.guardians = readGuardians(&r.Reader, name) }},
	{ConfigKey{"limits", "object", "{}", nil}, // members as Limits lists them
		func(r *configReader, name string, c *config) { readLimits(&r.Reader, name, &c.limits) }},
	{ConfigKey{"policy", "object", "{}", nil}, // documents by layer; see docs/reference/policy.md
		func(r *configReader, name string, c *config) { c.stack = r.policies(name) }},
}

// readConfig reads a document by the table. Every member that it does not know is a problem: a misspelt limit or rule
// would otherwise be a limit or rule that is not there. Problems in policies let the configuration come into force. All
// other problems refuse it. With recorded, the document stands in a journal, and members may have the names of an
// earlier version.
func readConfig(doc []byte, recorded bool) (c config, policyProblems, problems []elicit.Problem) {
	c = defaultConfig()
	var r configReader
	if problems := r.Reset(doc, documentLimits); len(problems) > 0 {
		return c, nil, problems
	}
	r.Recorded = recorded
	for i := range configTable {
		configTable[i].read(&r, configTable[i].Name, &c)
	}
	r.RefuseUnknown()
	c.deprecated = r.Deprecated
	return c, r.inPolicies, r.Problems
}

func readProfile(r *strict.Reader, name string) schema.Profile {
	said := r.Opt(name)
	profile, known := schema.ProfileNamed(said)
	if !known && said != "" {
		r.Report("unknown_profile", name, elicit.Str("profile", said))
	}
	return profile
}
