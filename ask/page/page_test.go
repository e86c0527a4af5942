package page

import (
	"bytes"
	"compress/gzip"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestPageIsSmall: a browser loads the page and at most one language besides English.
func TestPageIsSmall(t *testing.T) {
	languages := []string{"", "ar.js", "de.js", "zh.js"}
	for i, language := range languages {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		files := filesFor("Deployments")
		for _, name := range slices.Sorted(maps.Keys(files)) { // another order has another size
			if name == language || !slices.Contains(languages[1:], name) {
				_, _ = w.Write(files[name].Text)
			}
		}
		w.Close()
		if most := 43<<10 + min(i, 1)*5<<10; packed.Len() > most {
			t.Errorf("with %q the page is %d bytes compressed, at most %d", language, packed.Len(), most)
		}
	}
}

// TestAnswer: wrong, then right, and then the link is dead.
func TestAnswer(t *testing.T) {
	d := newRig(t, nil)
	token, answers := d.put("")
	b := d.browser("")
	text := b.enter(token)
	if !strings.Contains(text, "The key of the registry") || !strings.Contains(text, `"secret":true`) {
		t.Errorf("the question is %s", text)
	}
	text = b.post("answer", token, `,"action":"accept","content":{"key":"typed wrong"}`, "open")
	if !strings.Contains(text, `{"code":"bad_format","pointer":"/key"}`) || strings.Contains(text, "typed wrong") {
		t.Errorf("the reply to a wrong answer is %s", text)
	}
	text = b.post("answer", token, `,"action":"accept","content":{"key":"k-123"},"cleared":["note"]`, "done")
	if strings.Contains(text, "k-123") {
		t.Errorf("the reply contains the secret: %s", text)
	}
	got := <-answers
	if got.Action != elicit.Accept || string(got.Content) != `{"key":"k-123"}` ||
		!slices.Equal(got.Cleared, []string{"note"}) {
		t.Errorf("the answer is %+v", got)
	}
	b.post("open", token, "", "answered")
	b.post("claim", token, "", "answered")
	if text := b.post("answer", token, rightKey, "answered"); strings.Contains(text, "registry") {
		t.Errorf("a dead link tells of the question: %s", text)
	}
	if _, more := <-answers; more {
		t.Error("the second answer counted")
	}
}

// TestDecline: no content leaves with a decline, whatever the request says.
func TestDecline(t *testing.T) {
	d := newRig(t, nil)
	token, answers := d.put("")
	b := d.browser("")
	b.enter(token)
	b.post("answer", token, `,"action":"decline","content":{"key":"k-1"},"cleared":["key"]`, "done")
	if got := <-answers; got.Action != elicit.Decline || got.Content != nil || got.Cleared != nil {
		t.Errorf("the answer is %+v", got)
	}
}

// TestNothingBeforeTheClick: the document, and a script that runs in it, neither use the link nor learn anything.
func TestNothingBeforeTheClick(t *testing.T) {
	d := newRig(t, nil)
	token, _ := d.put("")
	scanner := d.browser("")
	r := scanner.request("", "", nil)
	r.Method = http.MethodGet
	if w := scanner.do(r); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "registry") {
		t.Errorf("the document is %d %s", w.Code, w.Body)
	}
	if text := scanner.post("open", token, "", "new"); strings.Contains(text, "registry") {
		t.Errorf("before the click, the page learns %s", text)
	}
	scanner.post("open", token, "", "new")
	// An unknown link looks the same, so a stranger cannot probe for links without claiming them.
	scanner.post("open", "no-such-token", "", "new")
	d.browser("").enter(token)
}

// TestSecondBrowser: the first click wins; reloads and lost responses of that browser do no harm.
func TestSecondBrowser(t *testing.T) {
	d := newRig(t, nil)
	token, answers := d.put("")
	first, second := d.browser(""), d.browser("")
	first.post("open", token, "", "new")
	second.post("open", token, "", "new")
	first.post("claim", token, "", "open")
	if text := second.post("claim", token, "", "used"); strings.Contains(text, "registry") {
		t.Errorf("the second browser learns %s", text)
	}
	second.post("answer", token, rightKey, "used")
	first.post("claim", token, "", "open") // its response was lost
	first.post("open", token, "", "open")  // a reload
	first.post("answer", token, rightKey, "done")
	second.post("claim", token, "", "used")
	d.browser("").post("answer", token, rightKey, "used") // and one that never opened it
	if len(answers) != 1 {
		t.Errorf("%d answers, want 1", len(answers))
	}
}

// TestRace: of many browsers that click at once, one gets the question, and of its many answers one counts.
func TestRace(t *testing.T) {
	m := NewMemory(nil)
	token, answers, err := m.Put(Question{}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	var mu sync.Mutex
	claimed, settled := 0, 0
	for i := range 64 {
		group.Go(func() {
			v := Visitor{Browser: digest(string(rune('a' + i)))}
			if _, err := m.Claim(context.Background(), token, v); err != nil {
				return
			}
			for range 2 {
				_, err := m.Answer(context.Background(), token, v, Answer{Action: elicit.Accept})
				mu.Lock()
				if err == nil {
					settled++
				}
				mu.Unlock()
			}
			mu.Lock()
			claimed++
			mu.Unlock()
		})
	}
	group.Wait()
	if claimed != 1 || settled != 1 || len(answers) != 1 {
		t.Errorf("%d browsers, %d settled, %d answers; want one of each", claimed, settled, len(answers))
	}
}

// TestPrincipal: only the person whose question it is learns anything, and others cannot use the link up.
func TestPrincipal(t *testing.T) {
	d := newRig(t, byHeader)
	token, answers := d.put("ada")
	mallory, ada := d.browser("mallory"), d.browser("ada")
	mallory.post("open", token, "", "new")
	for _, act := range []string{"claim", "answer"} {
		more := map[string]string{"answer": rightKey}[act]
		if text := mallory.post(act, token, more, "forbidden"); strings.Contains(text, "registry") {
			t.Errorf("somebody else learns %s", text)
		}
	}
	d.browser("banned").post("claim", token, "", "forbidden")
	nobody := d.browser("")
	if text := nobody.post("open", token, "", "sign_in"); !strings.Contains(text, `"sign_in":"/login"`) {
		t.Errorf("without a login the page gets %s", text)
	}
	ada.enter(token)
	// The cookie alone is not enough: the person signed out, or another one signed in.
	ada.user = "mallory"
	for _, act := range []string{"open", "claim", "answer"} {
		ada.post(act, token, map[string]string{"answer": rightKey}[act], "forbidden")
	}
	ada.user = ""
	ada.post("answer", token, rightKey, "sign_in")
	ada.user = "ada"
	ada.post("answer", token, rightKey, "done")
	if len(answers) != 1 {
		t.Errorf("%d answers, want 1", len(answers))
	}
	if len(d.errors) != 0 {
		t.Errorf("refusals were reported as errors: %v", d.errors)
	}
}

// TestPrincipalFails: a login that fails lets nobody in.
func TestPrincipalFails(t *testing.T) {
	for _, user := range []string{"broken", "nameless"} {
		d := newRig(t, byHeader)
		token, _ := d.put("")
		text := d.browser(user).post("open", token, "", "failed")
		if strings.Contains(text, "table") || len(d.errors) != 1 {
			t.Errorf("%s: the reply is %s, and %d errors were reported", user, text, len(d.errors))
		}
	}
}

// TestNoPrincipal: a handler that identifies nobody cannot open the question of a person.
func TestNoPrincipal(t *testing.T) {
	d := newRig(t, nil)
	token, _ := d.put("ada")
	b := d.browser("")
	b.post("open", token, "", "new")
	b.post("claim", token, "", "forbidden")
}

func TestExpired(t *testing.T) {
	d := newRig(t, nil)
	token, answers := d.put("")
	unseen, _ := d.put("")
	b := d.browser("")
	b.enter(token)
	d.now = d.now.Add(time.Minute - time.Millisecond)
	b.post("open", token, "", "open")
	d.now = d.now.Add(time.Millisecond)
	b.post("open", token, "", "expired")
	b.post("answer", token, rightKey, "expired")
	b.post("open", unseen, "", "new")
	b.post("claim", unseen, "", "expired")
	if len(answers) != 0 {
		t.Error("an answer came after the deadline")
	}
}

func TestWithdraw(t *testing.T) {
	d := newRig(t, nil)
	token, answers := d.put("")
	b := d.browser("")
	b.enter(token)
	d.questions.Withdraw(token)
	d.questions.Withdraw(token)
	b.post("answer", token, rightKey, "closed")
	if a, more := <-answers; more {
		t.Errorf("an answer came: %+v", a)
	}
}

// TestMemoryIsBounded: a flood of questions is refused, and ended ones make room after a while.
func TestMemoryIsBounded(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_000)
	m := NewMemory(func() time.Time { return now })
	put := func(q Question) error {
		_, _, err := m.Put(q, "", nil)
		return err
	}
	for range mostLinks - 1 {
		if err := put(Question{Deadline: now.UnixMilli() + 1}); err != nil {
			t.Fatal(err)
		}
	}
	forever, _, err := m.Put(Question{}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(endedStay)
	if err := put(Question{}); err != ErrBusy {
		t.Errorf("one question too many: %v", err)
	}
	now = now.Add(2 * time.Millisecond)
	if err := put(Question{}); err != nil {
		t.Errorf("after the others had ended: %v", err)
	}
	if len(m.links) != 2 {
		t.Errorf("%d links stay, want 2", len(m.links))
	}
	if _, err := m.Claim(context.Background(), forever, Visitor{Browser: "b"}); err != nil {
		t.Errorf("an open question was forgotten: %v", err)
	}
}

// TestVisitorWithoutBrowser: a source must not take two missing browsers for the same one.
func TestVisitorWithoutBrowser(t *testing.T) {
	m := NewMemory(nil)
	token, _, _ := m.Put(Question{}, "", nil)
	if _, err := m.Open(context.Background(), token, Visitor{}); err != ErrUsed {
		t.Errorf("open: %v", err)
	}
	if _, err := m.Claim(context.Background(), token, Visitor{}); err != ErrUsed {
		t.Errorf("claim: %v", err)
	}
}
