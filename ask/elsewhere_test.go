package ask

import (
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/store"
)

// atRest is a session as every process writes it.
type atRest struct {
	Client struct {
		Principal string `json:"principal,omitempty"`
		Version   string `json:"version"`
		Form      bool   `json:"form,omitempty"`
		URL       bool   `json:"url,omitempty"`
		Requests  bool   `json:"requests,omitempty"`
		Once      bool   `json:"once,omitempty"`
	} `json:"client"`
	Machine json.RawMessage `json:"machine"`
	Commits []string        `json:"commits"`
}

// stored is the name of a session in a store.
func stored(a *Asker, session string) string {
	d, _ := seal.Digest(encoded([]string{"elicit session", a.options.Server, session}))
	return hex.EncodeToString(d[:16])
}

// elsewhere steps a session as another process does.
func elsewhere(t *testing.T, a *Asker, name string, ev asking.Event) {
	t.Helper()
	saved, err := a.options.Store.Load(t.Context(), name)
	if err != nil {
		t.Error(err)
		return
	}
	var s atRest
	if err := json.Unmarshal(saved.State, &s); err != nil {
		t.Error(err)
		return
	}
	c := a.config.Asking
	c.Principal, c.Version, c.Requests, c.Prefix = s.Client.Principal, s.Client.Version, s.Client.Requests, name+"."
	c.Declared, c.Page = elicit.Modes{Form: s.Client.Form, URL: s.Client.URL}, c.Page+c.Prefix
	now := a.options.Now().UnixMilli()
	m, effects, problems := asking.Load(c, s.Machine, asking.Input{At: now})
	if len(problems) > 0 {
		t.Error(problems)
		return
	}
	effects = append(effects, m.Step(asking.Input{At: now, Random: [32]byte{1}, Event: ev})...)
	change := store.Change{Session: name, From: saved.Version, Now: now, Next: m.Next()}
	for _, next := range effects {
		if record, is := next.(effect.Append); is {
			change.Records = append(change.Records, record.Record)
		}
	}
	s.Machine = m.Save()
	change.State = encoded(s)
	if _, err := a.options.Store.Commit(t.Context(), change); err != nil {
		t.Error(err)
	}
}
