package house

// The sentences of docs/reference/configuration.md between its tables.

const pageIntro = `# Configuration

This page is generated from the types ` + "`elicit.Config` and `elicit.Connection`" + `
(` + "`config.go`, `connection.go`" + `) and from the engine's own tables. Change those, then run
` + "`go test ./internal/house -run TestConfigurationIsFresh -update`" + `.

An engine is opened with one JSON object. Every member may be left out, and an unknown member is a
problem. [config.schema.json](../config.schema.json) is the same as a JSON Schema, for editors.
` + "`describe`" + ` lists the members, defaults and limits of the engine at hand.

` + "```go" + `
config := elicit.Config{
	Remember: true,
	Limits:   elicit.Limits{Shown: new(3)},
	Policy:   elicit.Policies{User: policyFile},
}
` + "```" + `

` + "```json" + `
{"offer_scopes": true, "limits": {"shown": 3}, "policy": {"user": {"version": 1}}}
` + "```" + `

## Engine

`

const pagePolicy = `
## Policy

The member ` + "`policy`" + ` has a document for each layer. A name with ` + "`_text`" + ` holds the exact text of the
document, so that problems keep their line and column. The name without ` + "`_text`" + ` holds the document
itself. When both are there, the text counts. [policy.md](policy.md) explains the documents.

`

const pageLimits = `
## Limits

The member ` + "`limits`" + ` has these members. A value outside ` + "`least`" + ` and ` +
	"`most`" + ` is a problem, and then
the configuration changes nothing.

`

const pageGuardians = `
## Guardians

The member ` + "`guardians`" + ` is a list of at most 16 objects with these members. Only ` + "`name`" + ` is required;
a guardian with a ` + "`digest`" + ` must also say what its module has ` + "`declared`" + `, unless a host that holds
the module fills that in. A reviewer's default deadline is 90000.
[guardians.md](../guardians.md) explains guardians.

`

const pageConnection = `
## Connection

A connection is opened with ` + "`{\"relay\": {…}}`" + `. Only ` + "`server`" + ` is required. [relay.md](relay.md)
explains connections.

`
