// Package shelf is a host's guests as engines ask for them: engine.Guests for drivers, and what doors that take modules
// need besides.
package shelf

import (
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// Shelf holds guests and runs them under wazero. Its methods may be called from many goroutines.
type Shelf struct {
	host      *host.Host
	documents documents
	// Heard, unless nil, is called with every evaluation, from the goroutine that asked for it. It is for logs: what a
	// guest writes there is its own text.
	Heard func(engine.Consult, host.Result)
}

// New is an empty shelf.
func New(o host.Options) *Shelf { return &Shelf{host: host.New(o)} }

// Load checks a module, keeps it and describes it.
func (s *Shelf) Load(module []byte) ([]byte, []elicit.Problem) {
	m, problems := s.Add(module)
	if len(problems) > 0 {
		return nil, problems
	}
	return m.AppendJSON(nil, false), nil
}

// Add is Load for those who read Go.
func (s *Shelf) Add(module []byte) (*guest.Module, []elicit.Problem) {
	return s.host.Load(module, guest.Options{WASI: true}) // the grant is held against the module when it is used
}

// Manifest is what a module says of itself, and whether it imports WASI.
func (s *Shelf) Manifest(digest string) (m guardian.Manifest, wasi, held bool) {
	module := s.host.Guest(digest)
	if module == nil {
		return m, false, false
	}
	return module.Manifest, module.WASI, true
}

// CheckSettings asks the module of the grant whether the grant's settings fit.
func (s *Shelf) CheckSettings(g guardian.Grant) (problems []elicit.Problem, asked bool) {
	settings := g.Settings
	if settings == nil {
		settings = []byte("{}")
	}
	data := s.documents.get(g.Data)
	r := s.host.CheckSettings(host.Evaluation{Digest: g.Digest, Question: settings, WASI: g.WASI, Data: data,
		Fuel: guest.SettingsFuel(g.Fuel, data != nil)})
	if r.Fault != "" {
		return []elicit.Problem{unread(string(r.Fault))}, true
	}
	problems, bad := guardian.ReadSettingsAnswer(r.Output)
	if bad != nil {
		return []elicit.Problem{unread(string(guardian.FaultBadVerdict))}, true
	}
	return problems, true
}

func unread(fault string) elicit.Problem {
	return elicit.Problem{Code: "guardian_settings_unread", Args: []elicit.Arg{elicit.Str("fault", fault)}}
}

// Evaluate asks a guardian whose module is held.
func (s *Shelf) Evaluate(c engine.Consult) (said engine.Consulted, known bool) {
	if s.host.Guest(c.Digest) == nil {
		return said, false
	}
	r := s.host.Evaluate(host.Evaluation{Digest: c.Digest, Question: c.Question, Fuel: c.Fuel, WASI: c.WASI,
		Data: s.documents.get(c.Data)})
	if s.Heard != nil {
		s.Heard(c, r)
	}
	return engine.Consulted{Output: string(r.Output), Fault: r.Fault, Fuel: r.Fuel}, true
}

// Close frees everything. After it nothing is held.
func (s *Shelf) Close() {
	s.host.Close()
	s.documents.clear()
}
