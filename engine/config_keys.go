package engine

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
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
// place.
func ConfigKeys() []ConfigKey {
	keys := make([]ConfigKey, len(configTable))
	for i := range configTable {
		keys[i] = configTable[i].ConfigKey
	}
	return keys
}

// AppendJSON appends {"name","type","default"?,"values"?}.
func (k ConfigKey) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("name", k.Name)
	o.Str("type", k.Type)
	if k.Default != "" {
		o.Raw("default", []byte(k.Default))
	}
	if len(k.Values) > 0 {
		o.Name("values", func(dst []byte) []byte { return appendNames(dst, k.Values) })
	}
	return o.End()
}

// configKey is a row of the table that the reader, describe and the documentation share.
type configKey struct {
	ConfigKey
	read func(r *configReader, name string, c *config)
}

// configReader keeps the problems inside policies apart: a policy with problems still holds, and fails closed.
type configReader struct {
	reader
	inPolicies []elicit.Problem
}

var configTable = []configKey{
	{ConfigKey{"profile", "string", `"tolerant"`, []string{"tolerant", "2025-06-18", "2025-11-25", "2026-07-28"}},
		func(r *configReader, name string, c *config) { c.profile = r.profile(name) }},
	{ConfigKey{"pauses", "boolean", "false", nil}, // emit Pause effects
		func(r *configReader, name string, c *config) { c.pauses = r.flag(name) }},
	{ConfigKey{"join_duplicates", "boolean", "false", nil}, // one answer for the same question asked twice
		func(r *configReader, name string, c *config) { c.join = r.flag(r.renamed(name, "join")) }},
	{ConfigKey{"offer_scopes", "boolean", "false", nil}, // Show effects say for how long a yes may be remembered
		func(r *configReader, name string, c *config) { c.remember = r.flag(r.renamed(name, "remember")) }},
	{ConfigKey{"servers", "array", "[]", nil}, // names known before any session is opened; see docs/risk.md
		func(r *configReader, name string, c *config) { c.servers = r.servers(name) }},
	{ConfigKey{"grants", "array", "", nil}, // those with scope always, as Remember effects told them
		func(r *configReader, name string, c *config) {
			c.granted = r.take(name).Exists()
			c.grants = r.grants(name, Always, maxGrants, Opened{})
		}},
	{ConfigKey{"guardians", "array", "[]", nil}, // whom to consult; see docs/guardians.md
		func(r *configReader, name string, c *config) { c.guardians = r.guardians(name) }},
	{ConfigKey{"limits", "object", "{}", nil}, // members as Limits lists them
		func(r *configReader, name string, c *config) { r.limits(name, &c.limits) }},
	{ConfigKey{"policy", "object", "{}", nil}, // documents by layer; see docs/policy.md
		func(r *configReader, name string, c *config) { c.stack, r.inPolicies = r.policies(name) }},
}

func readConfig(doc []byte) (c config, policyProblems, problems []elicit.Problem) {
	c = defaultConfig()
	if f := jsontext.Check(doc, documentLimits); f != nil {
		return c, nil, []elicit.Problem{elicit.FromFault(f)}
	}
	r := configReader{reader: reader{root: gjson.ParseBytes(doc)}}
	if !r.root.IsObject() {
		return c, nil, []elicit.Problem{{Code: "wrong_type", Args: []elicit.Arg{elicit.Str("expected", "object")}}}
	}
	for i := range configTable {
		configTable[i].read(&r, configTable[i].Name, &c)
	}
	r.refuseUnknown()
	c.deprecated = r.deprecated
	return c, r.inPolicies, r.problems
}

// renamed returns the name under which a member stands: its name of today, or the one of an earlier version. An earlier
// name beside the one of today is an unknown member.
func (r *configReader) renamed(name, earlier string) string {
	if r.take(name).Exists() || !r.root.Get(earlier).Exists() {
		return name
	}
	r.deprecated = append(r.deprecated, elicit.Deprecated("/"+earlier, name))
	return earlier
}

func (r *reader) profile(name string) schema.Profile {
	switch profile := r.opt(name); profile {
	case "", "tolerant":
	case "2025-06-18":
		return schema.Strict20250618
	case "2025-11-25", "2026-07-28":
		return schema.Strict20251125
	default:
		r.complain("unknown_profile", name, elicit.Str("profile", profile))
	}
	return schema.Tolerant
}
