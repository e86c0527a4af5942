package effect_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
)

// TestNames: Names lists the spelling of every effect once.
func TestNames(t *testing.T) {
	names := effect.Names()
	for _, one := range []effect.Effect{effect.Append{}, effect.Show{}, effect.Withdraw{}, effect.Reply{},
		effect.OpenURL{}, effect.Resolve{}, effect.Remember{}, effect.Extend{}, effect.Pause{}, effect.Wake{},
		effect.Problem{}, effect.Consult{}} {
		doc := one.AppendJSON(nil)
		name, _, _ := bytes.Cut(bytes.TrimPrefix(doc, []byte(`{"effect":"`)), []byte(`"`))
		i := slices.Index(names, string(name))
		if i < 0 {
			t.Fatalf("Names leaves out %q of %s", name, doc)
		}
		names = slices.Delete(names, i, i+1)
	}
	if len(names) > 0 {
		t.Errorf("nothing has the name of %s", names)
	}
}

// TestHidden: what a journal must not keep is no part of the spelling, in which the peer may get it.
func TestHidden(t *testing.T) {
	reply := effect.Reply{Content: []byte(`{"pin":"1"}`), Hidden: []string{"pin"}}
	if doc := reply.AppendJSON(nil); !bytes.Contains(doc, reply.Content) || bytes.Contains(doc, []byte("idden")) {
		t.Errorf("%s", doc)
	}
	asks := effect.Consult{Question: []byte(`{"pin":"1"}`), Kept: []byte(`{}`)}
	if doc := asks.AppendJSON(nil); !asks.Withheld() || !bytes.Contains(doc, asks.Question) {
		t.Errorf("%s", doc)
	}
}
