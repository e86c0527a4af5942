package stored_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/asking/stored"
	"github.com/elicit-engine/elicit/internal/must"
)

func Example() {
	c := stored.Change{Session: "s-1", From: 7, Now: 1_790_000_000_000, State: []byte("asked")}
	fmt.Println(c.Check(), c.Version())
	// Output: <nil> 8
}

func TestCheck(t *testing.T) {
	for what, edit := range map[string]func(c *stored.Change){
		"no name":                   func(c *stored.Change) { c.Session = "" },
		"a long name":               func(c *stored.Change) { c.Session = strings.Repeat("x", stored.MaxName+1) },
		"a name that is no text":    func(c *stored.Change) { c.Session = "\xff" },
		"a huge state":              func(c *stored.Change) { c.State = make([]byte, stored.MaxState+1) },
		"huge records":              func(c *stored.Change) { c.Records = [][]byte{make([]byte, stored.MaxState), {0}} },
		"many records":              func(c *stored.Change) { c.Records = make([][]byte, stored.MaxParts+1) },
		"a negative time":           func(c *stored.Change) { c.Next = -1 },
		"a time beyond all":         func(c *stored.Change) { c.Expires = stored.MaxTime + 1 },
		"a version beyond all":      func(c *stored.Change) { c.From = 1<<63 - 1 },
		"an entry without id":       func(c *stored.Change) { c.Entries = []stored.Entry{{}} },
		"an entry before all times": func(c *stored.Change) { c.Entries = []stored.Entry{{ID: "q", At: -1}} },
		"an entry that is no text":  func(c *stored.Change) { c.Entries = []stored.Entry{{ID: "q", Tool: "\xff"}} },
		"a huge entry": func(c *stored.Change) {
			c.Entries = []stored.Entry{{ID: "q", Text: "?", Body: make([]byte, stored.MaxState)}}
		},
		"a deletion of nothing": func(c *stored.Change) { c.State = nil },
	} {
		c := stored.Change{Session: "s", Now: 1, State: []byte("x")}
		must.OK(t, c.Check())
		if edit(&c); !errors.Is(c.Check(), stored.ErrInvalid) {
			t.Errorf("%s: %v", what, c.Check())
		}
	}
}

func TestRedeem(t *testing.T) {
	for _, c := range []struct {
		id           string
		now, expires int64
		until        int64
		wrong        bool
	}{
		{id: "a", now: 9, expires: 10, until: 10 + stored.Skew},
		{id: "a", now: 10, expires: 10},
		{id: "a", now: 11, expires: 10},
		{now: 9, expires: 10, wrong: true},
		{id: "a", now: -1, expires: 10, wrong: true},
		{id: "a", now: 9, expires: stored.MaxTime + 1, wrong: true},
	} {
		until, err := stored.Redeem(c.id, c.now, c.expires)
		if until != c.until || errors.Is(err, stored.ErrInvalid) != c.wrong {
			t.Errorf("%+v: %d, %v", c, until, err)
		}
	}
}

func TestDue(t *testing.T) {
	for _, c := range []struct {
		now         int64
		skip, limit int
	}{{-1, 0, 1}, {1, -1, 1}, {1, 0, 0}, {1, 0, stored.MaxDue + 1}, {1, stored.MaxSkip + 1, 1}} {
		if !errors.Is(stored.CheckDue(c.now, c.skip, c.limit), stored.ErrInvalid) {
			t.Errorf("%+v is taken", c)
		}
	}
	if err := stored.CheckDue(1, 0, 1); err != nil {
		t.Error(err)
	}
}
