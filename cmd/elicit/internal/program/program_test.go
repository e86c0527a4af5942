package program

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// asked asks a shell script one question.
func asked(t *testing.T, script string, c effect.Consult) (event.Consulted, string) {
	t.Helper()
	var notes bytes.Buffer
	answers := make(chan event.Consulted, 1)
	command := []string{"sh", "-c", script}
	r := &Runner{Guardians: map[string][]string{"auto": command}, Second: command, Principal: "root", Notes: &notes,
		Answer: func(a event.Consulted) { answers <- a }}
	defer r.Close()
	c.ID, c.Session, c.Round, c.Guardian = "id", "s", 7, "auto"
	if c.Deadline == 0 {
		c.Deadline = time.Now().Add(20 * time.Second).UnixMilli()
	}
	r.Consult(c)
	said := <-answers
	if said.ID != "id" || said.Session != "s" || said.Round != 7 {
		t.Errorf("the answer is for %s of %s, round %d", said.ID, said.Session, said.Round)
	}
	return said, notes.String()
}

var second = effect.Consult{Phase: effect.SecondPerson, Question: []byte(`{}`)}

func TestPrograms(t *testing.T) {
	for _, c := range []struct {
		name, script string
		consult      effect.Consult
		want         event.Consulted
		note         string
	}{
		{"says what it reads", `cat`, effect.Consult{Question: []byte(`{"q":"ü"}`)},
			event.Consulted{Output: `{"q":"ü"}`}, ""},
		{"is told who and which attempt", `echo "$ELICIT_GUARDIAN $ELICIT_PHASE $ELICIT_ATTEMPT"`,
			effect.Consult{Phase: "before_show", Attempt: 2},
			event.Consulted{Output: "auto before_show 2"}, ""},
		{"fails", `echo "no key" >&2; exit 3`, effect.Consult{},
			event.Consulted{Fault: guardian.FaultUnavailable}, "no key"},
		{"is not there", `exec /does/not/exist`, effect.Consult{},
			event.Consulted{Fault: guardian.FaultUnavailable}, "not"},
		{"says nothing", `true`, effect.Consult{}, event.Consulted{Fault: guardian.FaultBadOutput}, "wrote no answer"},
		{"says too much", `head -c 100000 /dev/zero | tr '\0' x`, effect.Consult{},
			event.Consulted{Fault: guardian.FaultOutputTooLarge}, ""},
		{"does not read", `exec <&-; echo done`, effect.Consult{Question: bytes.Repeat([]byte("x"), 1<<20)},
			event.Consulted{Output: "done"}, ""},
		{"second person allows", `echo '{"principal":"bob","decision":"allow"}'`, second,
			event.Consulted{Output: `{"v":1,"decision":"allow"}`, Principal: "bob"}, ""},
		{"second person without a name", `echo '{"decision":"allow"}'`, second,
			event.Consulted{Fault: guardian.FaultBadOutput}, ""},
		{"second person has no opinion", `echo '{"principal":"bob","decision":"pass"}'`,
			second, event.Consulted{Output: `{"v":1,"decision":"pass"}`, Principal: "bob"}, ""},
		{"second person in prose", `echo yes`, second, event.Consulted{Fault: guardian.FaultBadOutput}, ""},
		{"second person's decision is passed on", `echo '{"principal":"bob","decision":"per\"haps"}'`,
			second, event.Consulted{Output: `{"v":1,"decision":"per\"haps"}`, Principal: "bob"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, note := asked(t, c.script, c.consult)
			if got.Output != c.want.Output || got.Fault != c.want.Fault || got.Principal != c.want.Principal {
				t.Errorf("got %.200q %s %s, want %q %s %s",
					got.Output, got.Fault, got.Principal, c.want.Output, c.want.Fault, c.want.Principal)
			}
			if !strings.Contains(note, c.note) {
				t.Errorf("noted %q, want %q in it", note, c.note)
			}
		})
	}
}

// TestSecondPersonIsRefused: a second person whose name or whose words are not as agreed decides nothing, and a note
// says what is wrong.
func TestSecondPersonIsRefused(t *testing.T) {
	for _, c := range []struct{ name, script, note string }{
		{"decides nothing", `echo '{"principal":"bob"}'`, "needs"},
		{"is the first", `echo '{"principal":"root","decision":"allow"}'`, "somebody else must approve"},
		{"is the first in capitals", `echo '{"principal":"ROOT","decision":"allow"}'`, "somebody else must approve"},
		{"is the first and a space", `echo '{"principal":"root ","decision":"allow"}'`, "somebody else must approve"},
		{"is the first and nothing that shows", `echo '{"principal":"ro\u200bot","decision":"allow"}'`,
			"somebody else must approve"},
		{"is the first in Cyrillic", `echo '{"principal":"rооt","decision":"allow"}'`, "somebody else must approve"},
		{"is invisible", `echo '{"principal":"\u200b ","decision":"allow"}'`, "its principal is not a name"},
		{"is a NUL", `echo '{"principal":"\u0000","decision":"allow"}'`, "its principal is not a name"},
		{"holds a NUL", `echo '{"principal":"bob\u0000","decision":"allow"}'`, "its principal is not a name"},
		{"is very long", `printf '{"principal":"%0300d","decision":"allow"}' 1`, "its principal is not a name"},
		{"is a list", `echo '{"principal":["bob"],"decision":"allow"}'`, "holds more"},
		{"is a number", `echo '{"principal":7,"decision":"allow"}'`, "holds more"},
		{"decides twice", `echo '{"principal":"bob","decision":"allow","decision":"deny"}'`, "a key twice"},
		{"decides twice by an escape",
			`echo '{"principal":"bob","decision":"allow","d\u0065cision":"deny"}'`, "a key twice"},
		{"decides twice in two cases", `echo '{"principal":"bob","decision":"allow","Decision":"deny"}'`, "holds more"},
		{"decides in capitals alone", `echo '{"Principal":"bob","Decision":"allow"}'`, "holds more"},
		{"says more", `echo '{"principal":"bob","decision":"allow","note":"if it is Friday"}'`, "holds more"},
		{"says it twice",
			`echo '{"principal":"bob","decision":"allow"}{"principal":"bob","decision":"deny"}'`, "one JSON object"},
		{"in a list", `echo '[{"principal":"bob","decision":"allow"}]'`, "one JSON object"},
		{"is no UTF-8", `printf '{"principal":"bob\377","decision":"allow"}'`, "one JSON object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, note := asked(t, c.script, second); got.Output != "" || got.Principal != "" ||
				got.Fault != guardian.FaultBadOutput || !strings.Contains(note, c.note) {
				t.Errorf("got %+v, noted %q, want %q in it", got, note, c.note)
			}
		})
	}
}

// TestUse replaces a reviewer while its answer is awaited. The program that was asked answers, and is asked again where
// that could not be read; the next request goes to the other. A module's question goes to no program of its name.
func TestUse(t *testing.T) {
	answers := make(chan event.Consulted, 1)
	r := &Runner{Answer: func(a event.Consulted) { answers <- a }}
	defer r.Close()
	says := func(word string) map[string][]string {
		return map[string][]string{"auto": {"sh", "-c", "cat >/dev/null; echo " + word}}
	}
	ask := func(c effect.Consult, want string) {
		t.Helper()
		c.Guardian, c.Deadline = "auto", time.Now().Add(20*time.Second).UnixMilli()
		r.Consult(c)
		if said := <-answers; said.Output+string(said.Fault) != want {
			t.Errorf("%s attempt %d: %q %q, want %s", c.ID, c.Attempt, said.Output, said.Fault, want)
		}
	}
	r.Use(says("old"))
	ask(effect.Consult{ID: "1", Reviewer: true}, "old")
	r.Use(says("new"))
	ask(effect.Consult{ID: "1", Reviewer: true, Attempt: 2}, "old")
	ask(effect.Consult{ID: "2", Reviewer: true}, "new")
	ask(effect.Consult{ID: "3"}, "new")
	ask(effect.Consult{ID: "4", Digest: strings.Repeat("ab", 32)}, string(guardian.FaultUnavailable))
	r.Withdraw("1")
	r.Withdraw("2")
	if len(r.reviews) != 0 {
		t.Errorf("%d reviews are remembered after their end", len(r.reviews))
	}
	ask(effect.Consult{ID: "1", Reviewer: true, Attempt: 3}, string(guardian.FaultUnavailable))
}
