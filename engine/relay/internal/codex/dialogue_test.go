package codex

import (
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
)

// TestLargePatch announces a patch that is too large to be kept, and a small one beside it.
func TestLargePatch(t *testing.T) {
	d := New(nil)
	g := gate.New(d.Vocabulary())
	tell := func(item, diff string) {
		var msg gate.Message
		text := `{"method":"item/started","params":{"threadId":"t","turnId":"u","item":{"type":"fileChange","id":"` + item +
			`","changes":[{"path":"a.txt","kind":{"type":"update"},"diff":"` + diff + `"}]}}}`
		if problem := g.Read(&msg, []byte(text)); problem != nil {
			t.Fatal(problem)
		}
		if p := d.ServerTold(&msg); !p.Pass || p.Text != nil {
			t.Errorf("the announcement of %s does not pass unchanged", item)
		}
	}
	tell("small", "+one")
	if it := d.items.Item("t", "small"); it == nil || it.Size() < 4 {
		t.Errorf("the small patch is not kept: %v", it)
	}
	tell("large", strings.Repeat("x", 1<<20))
	if it := d.items.Item("t", "large"); it != nil && it.Size() > 64<<10 {
		t.Errorf("%d bytes of the large patch are kept", it.Size())
	}
}

// TestAnswersFillNoTable has an app-server that never says that a question is settled. The latest are remembered.
func TestAnswersFillNoTable(t *testing.T) {
	var l known
	for i := range 5000 {
		l.add(&asked{ref: strconv.Itoa(i)})
	}
	if len(l.by) != 4096 || l.by["903"] != nil || l.by["904"] == nil {
		t.Errorf("%d questions are remembered", len(l.by))
	}
}
