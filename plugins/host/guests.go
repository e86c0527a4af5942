package host

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
)

// Guests holds modules and data documents and runs them under wazero. It is an engine.Guests for drivers, and has what
// interfaces that take modules need besides. Its methods may be called from many goroutines.
type Guests struct {
	host      *Host
	documents documents
	// OnEvaluation, unless nil, is called with every evaluation, from the goroutine that asked for it. It is for logs.
	// The text in a log is the guest's own.
	OnEvaluation func(effect.Consult, Result)
}

// NewGuests returns Guests that hold nothing yet. The caller closes them.
func NewGuests(o Options) *Guests { return &Guests{host: New(o)} }

// Load checks a module, keeps it and describes it.
func (s *Guests) Load(module []byte) ([]byte, []elicit.Problem) {
	m, problems := s.Add(module)
	if len(problems) > 0 {
		return nil, problems
	}
	return m.AppendJSON(nil, false), nil
}

// Add is Load for callers in Go.
func (s *Guests) Add(module []byte) (*guest.Module, []elicit.Problem) {
	return s.host.Load(module, guest.Options{WASI: true}) // the permit is held against the module when it is used
}

// Manifest is what a module says of itself, and whether it imports WASI.
func (s *Guests) Manifest(digest string) (m guardian.Manifest, wasi, held bool) {
	module := s.host.Guest(digest)
	if module == nil {
		return m, false, false
	}
	return module.Manifest, module.WASI, true
}

// CheckSettings asks the module of the permit whether the permit's settings fit.
func (s *Guests) CheckSettings(g guardian.Permit) (problems []elicit.Problem, asked bool) {
	settings := g.Settings
	if settings == nil {
		settings = []byte("{}")
	}
	data := s.documents.get(g.Data)
	r := s.host.CheckSettings(Evaluation{Digest: g.Digest, Question: settings, WASI: g.WASI, Data: data,
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
func (s *Guests) Evaluate(c effect.Consult) (said event.Consulted, known bool) {
	if s.host.Guest(c.Digest) == nil {
		return said, false
	}
	r := s.host.Evaluate(Evaluation{Digest: c.Digest, Question: c.Question, Fuel: c.Fuel, WASI: c.WASI,
		Data: s.documents.get(c.Data)})
	if s.OnEvaluation != nil {
		s.OnEvaluation(c, r)
	}
	return event.Consulted{Output: string(r.Output), Fault: r.Fault, Fuel: r.Fuel}, true
}

// Close frees everything. After it nothing is held.
func (s *Guests) Close() {
	s.host.Close()
	s.documents.clear()
}
