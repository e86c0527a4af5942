package asking

import (
	"cmp"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// Order says what becomes of a question that is posed while another of the same client is open.
type Order string

// These are the orders.
const (
	Queue     Order = "queue"     // it waits for its turn
	Supersede Order = "supersede" // it takes the place of the other, which is cancelled
	Reject    Order = "reject"    // it fails
)

// Orders lists the orders.
func Orders() []Order { return []Order{Queue, Supersede, Reject} }

// Config is what a machine is told about its client and the server.
//
// It is fixed for the life of a machine. Load may bring another one, for the same client. A Configured event replaces
// Engine alone.
type Config struct {
	Engine    []byte // the engine's configuration, JSON; nil for defaults that suit a server
	Server    string // the name of the server, for its policy and the journal
	Principal string // who is behind the client, as the server knows it; answers must come from the same

	Version  string       // the protocol date of the session, or of the request in multi-round dates
	Declared elicit.Modes // what the client declared
	Requests bool         // the host can send requests to the client; a stateless HTTP server cannot

	Page     string        // the beginning of the links of the server's own pages, "" if it hosts none
	PageOnly []elicit.Kind // kinds of questions that only a page may answer; secrets are always so
	Fallback string        // the name of the tool that passes on answers, "" for none
	Prefix   string        // what the host puts before ids in texts for a model, so that it finds this machine again
	Order    Order         // "" for Queue
	TTL      int64         // milliseconds that a question may stay open; 0 for the default
	Hold     int64         // milliseconds that a repeated call waits for a page to be finished; 0 for the default
	Attempts int           // how often a question is put before an answer must fit; 0 for the default
	History  bool          // the JSON of a Settle has Target and Message, for a host in another language

	// Forms is what a process with many machines makes once, by SharedForms, so that a form is read and kept once for all
	// of them. Nobody may step two of them at once. nil for none.
	Forms *engine.Engine

	// Guests answer consults inside Step if they have the module of a guardian. nil for none.
	Guests engine.Guests
}

// SharedForms is a new place for forms. No session is opened in it.
func SharedForms() *engine.Engine { return engine.New() }

// These are the defaults and bounds of Config.
const (
	DefaultTTL      = 5 * 60 * 1000
	DefaultHold     = 20 * 1000
	DefaultAttempts = 3
	DefaultFallback = "elicitation_result"
	mostTTL         = 7 * 24 * 3600 * 1000
	mostAttempts    = 100
)

// serverLimits are the limits of a server that gives no configuration: its own tools ask, so the rate that protects a
// person from strangers is not needed.
const serverLimits = `{"limits":{"per_minute":600,"burst":100}}`

// Rate is how many questions a person has to look at in a minute, and at once, by the limits of the configuration.
//
// The host counts with it over all machines of a person, which no single machine can.
func (c Config) Rate() (perMinute, burst int) {
	doc := c.Engine
	if doc == nil {
		doc = []byte(serverLimits)
	}
	for _, l := range engine.Limits() {
		into := map[string]*int{"per_minute": &perMinute, "burst": &burst}[l.Name]
		if into == nil {
			continue
		}
		*into = l.Default
		if r, problems := strict.Document(doc, jsontext.DocumentLimits()); len(problems) == 0 {
			r.Object("limits", func(sub *strict.Reader) {
				if n, ok := strict.Integer(sub.Take(l.Name)); ok {
					*into = strict.Bounded(n)
				}
			})
		}
	}
	return perMinute, burst
}

func (c Config) orDefault() (Config, []elicit.Problem) {
	var problems []elicit.Problem
	bad := func(code, name string, args ...elicit.Arg) {
		problems = append(problems, elicit.Problem{Code: code, Pointer: string(jsontext.AppendToken(nil, name)), Args: args})
	}
	if c.Engine == nil {
		c.Engine = []byte(serverLimits)
	}
	if c.Server == "" {
		bad("missing", "server")
	}
	if len(c.Server) > maxLabel { // the journal has both names
		bad("too_large_to_keep", "server")
	}
	if len(c.Principal) > maxLabel {
		bad("too_large_to_keep", "principal")
	}
	if _, known := mcp.Lookup(c.Version); !known {
		bad("unknown_version", "version", elicit.Str("version", clipped(c.Version)))
	}
	c.Order = cmp.Or(c.Order, Queue)
	// An unknown order fails closed, like every unknown spelling.
	if !slices.Contains(Orders(), c.Order) {
		bad("unknown_order", "order", elicit.Str("order", clipped(string(c.Order))))
	}
	for _, kind := range c.PageOnly {
		if !slices.Contains(pageKinds, kind) { // a misspelt kind would let a model answer
			bad("unknown_value", "page_only", elicit.Str("value", clipped(string(kind))),
				elicit.Str("allowed", "form, confirm, approval"))
		}
	}
	within := func(name string, v *int64, def, most int64) {
		*v = cmp.Or(*v, def)
		if *v < 1 || *v > most {
			bad("limit_out_of_range", name, elicit.Num("least", 1), elicit.Num("most", int(most)))
		}
	}
	within("ttl_ms", &c.TTL, DefaultTTL, mostTTL)
	within("hold_ms", &c.Hold, DefaultHold, mostTTL)
	attempts := int64(c.Attempts)
	within("attempts", &attempts, DefaultAttempts, mostAttempts)
	c.Attempts = int(attempts)
	return c, problems
}

// pageKinds are the kinds of questions that a page can take.
var pageKinds = []elicit.Kind{elicit.KindForm, elicit.KindConfirm, elicit.KindApproval}

func clipped(s string) string { return s[:min(len(s), 80)] }

// ReadConfig reads the configuration of a machine, a JSON object that has passed the gate:
//
//	{"server":"NAME","version":"2025-11-25","declared":["form","url"],"requests"?:true,"principal"?,"config"?:{…},
//	 "page"?:"https://…/","page_only"?:["confirm"],"fallback"?:"elicitation_result","prefix"?,"order"?:"queue",
//	 "ttl_ms"?,"hold_ms"?,"attempts"?,"history"?:true}
//
// The members are those of Config. An unknown member is a problem.
func ReadConfig(doc []byte) (c Config, problems []elicit.Problem) {
	root := gjson.ParseBytes(doc)
	if !root.IsObject() {
		return c, []elicit.Problem{{Code: "wrong_type", Args: []elicit.Arg{elicit.Str("expected", "object")}}}
	}
	r := strict.Of(root)
	c = ReadServer(&r)
	c.Principal, c.Version, c.Requests = takeLabel(&r, "principal"), takeLabel(&r, "version"), r.Flag("requests")
	c.Prefix, c.History, c.Declared = takeLabel(&r, "prefix"), r.Flag("history"), ReadDeclared(&r)
	if r.RefuseUnknown(); len(r.Problems) > 0 {
		return c, r.Problems
	}
	return c.orDefault()
}

// ReadServer takes the members of a configuration that concern the server, and no client.
func ReadServer(r *strict.Reader) Config {
	c := Config{Engine: r.Raw("config"), Server: takeLabel(r, "server"), Page: takeLabel(r, "page"),
		Fallback: takeLabel(r, "fallback"), Order: Order(takeLabel(r, "order")), TTL: r.OptTime("ttl_ms"),
		Hold: r.OptTime("hold_ms"), Attempts: r.Count("attempts")}
	for _, kind := range r.Strs("page_only") {
		c.PageOnly = append(c.PageOnly, elicit.Kind(kind))
	}
	return c
}

// ReadDeclared takes what a client declared.
func ReadDeclared(r *strict.Reader) (declared elicit.Modes) {
	for _, mode := range r.Strs("declared") {
		switch elicit.Mode(mode) {
		case elicit.Form:
			declared.Form = true
		case elicit.URL:
			declared.URL = true
		default:
			r.Report("unknown_mode", "declared", elicit.Str("mode", clipped(mode)))
		}
	}
	return declared
}

// maxLabel is the most bytes of a name or handle, as in the engine.
const maxLabel = 1024

func takeLabel(r *strict.Reader, name string) string {
	s := r.Opt(name)
	if len(s) > maxLabel {
		r.Report("too_large_to_keep", name)
		return ""
	}
	return s
}
