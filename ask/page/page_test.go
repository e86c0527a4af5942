package page_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/ask"
)

// TestAnswer: wrong, then right, and then the link is dead.
func TestAnswer(t *testing.T) {
	d := newRig(t, nil)
	q := d.put("")
	b := d.browser("")
	text := b.enter(q.token)
	if !strings.Contains(text, "The key of the registry") || !strings.Contains(text, `"secret":true`) {
		t.Errorf("the question is %s", text)
	}
	text = b.post("answer", q.token, `,"action":"accept","content":{"key":"bad"}`, "open")
	if !strings.Contains(text, `{"code":"too_short","pointer":"/key"`) || strings.Contains(text, "bad") {
		t.Errorf("the reply to a wrong answer is %s", text)
	}
	if text = b.post("answer", q.token, rightKey, "done"); strings.Contains(text, "k-123") {
		t.Errorf("the reply contains the secret: %s", text)
	}
	if err := <-q.done; err != nil {
		t.Error(err)
	}
	b.post("open", q.token, "", "answered")
	b.post("claim", q.token, "", "answered")
	if text := b.post("answer", q.token, rightKey, "answered"); strings.Contains(text, "registry") {
		t.Errorf("a dead link tells of the question: %s", text)
	}
}

// TestDecline: no content leaves with a decline, whatever the request says.
func TestDecline(t *testing.T) {
	_, q, b := entered(t)
	b.post("answer", q.token, `,"action":"decline","content":{"key":"k-1"},"cleared":["key"]`, "done")
	if err := <-q.done; !errors.Is(err, ask.ErrDeclined) {
		t.Errorf("the outcome is %v", err)
	}
}

// TestNothingBeforeTheClick: the document, and a script that runs in it, neither use the link nor learn anything.
func TestNothingBeforeTheClick(t *testing.T) {
	d := newRig(t, nil)
	q := d.put("")
	scanner := d.browser("")
	r := scanner.request("", "", func(r *http.Request) { r.Method = http.MethodGet })
	if w := scanner.do(r); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "registry") {
		t.Errorf("the document is %d %s", w.Code, w.Body)
	}
	if text := scanner.post("open", q.token, "", "new"); strings.Contains(text, "registry") {
		t.Errorf("before the click, the page learns %s", text)
	}
	scanner.post("open", q.token, "", "new")
	// An unknown link looks the same, so a stranger cannot probe for links without claiming them.
	scanner.post("open", "no-such-token", "", "new")
	d.browser("").enter(q.token)
}

// TestSecondBrowser: the first click wins; reloads and lost responses of that browser do no harm.
func TestSecondBrowser(t *testing.T) {
	d := newRig(t, nil)
	q := d.put("")
	first, second := d.browser(""), d.browser("")
	first.post("open", q.token, "", "new")
	second.post("open", q.token, "", "new")
	first.post("claim", q.token, "", "open")
	if text := second.post("claim", q.token, "", "used"); strings.Contains(text, "registry") {
		t.Errorf("the second browser learns %s", text)
	}
	second.post("answer", q.token, rightKey, "used")
	first.post("claim", q.token, "", "open") // its response was lost
	first.post("open", q.token, "", "open")  // a reload
	first.post("answer", q.token, rightKey, "done")
	second.post("claim", q.token, "", "unknown")
	d.browser("").post("answer", q.token, rightKey, "used") // and one that never opened it
	if err := <-q.done; err != nil {
		t.Error(err)
	}
}

// TestPrincipal: only the person whose question it is learns anything, and others cannot use the link up.
func TestPrincipal(t *testing.T) {
	d := newRig(t, byHeader)
	q := d.put("ada")
	mallory, ada := d.browser("mallory"), d.browser("ada")
	mallory.post("open", q.token, "", "new")
	for _, act := range []string{"claim", "answer"} {
		more := map[string]string{"answer": rightKey}[act]
		if text := mallory.post(act, q.token, more, "forbidden"); strings.Contains(text, "registry") {
			t.Errorf("somebody else learns %s", text)
		}
	}
	d.browser("banned").post("claim", q.token, "", "forbidden")
	nobody := d.browser("")
	if text := nobody.post("open", q.token, "", "sign_in"); !strings.Contains(text, `"sign_in":"/login"`) {
		t.Errorf("without a login the page gets %s", text)
	}
	ada.enter(q.token)
	// The cookie alone is not enough: the person signed out, or another one signed in.
	ada.user = "mallory"
	for _, act := range []string{"open", "claim", "answer"} {
		ada.post(act, q.token, map[string]string{"answer": rightKey}[act], "forbidden")
	}
	ada.user = ""
	ada.post("answer", q.token, rightKey, "sign_in")
	ada.user = "ada"
	ada.post("answer", q.token, rightKey, "done")
	if err := <-q.done; err != nil || len(d.errors) != 0 {
		t.Errorf("%v; refusals were reported as errors: %v", err, d.errors)
	}
}

// TestPrincipalFails: a login that fails lets nobody in.
func TestPrincipalFails(t *testing.T) {
	d := newRig(t, byHeader)
	q := d.put("")
	text := d.browser("broken").post("open", q.token, "", "failed")
	if strings.Contains(text, "table") || len(d.errors) != 1 {
		t.Errorf("the reply is %s, and %d errors were reported", text, len(d.errors))
	}
}

// TestNoPrincipal: a handler that identifies nobody cannot open the question of a person.
func TestNoPrincipal(t *testing.T) {
	d := newRig(t, nil)
	q := d.put("ada")
	b := d.browser("")
	b.post("open", q.token, "", "new")
	b.post("claim", q.token, "", "forbidden")
}

// TestExpired: the browser that had the question learns that its time is up. No other browser learns of it.
func TestExpired(t *testing.T) {
	d, q, b := entered(t)
	d.now = d.now.Add(time.Minute - time.Millisecond)
	b.post("open", q.token, "", "open")
	d.now = d.now.Add(time.Millisecond)
	b.post("answer", q.token, rightKey, "expired")
	b.post("open", q.token, "", "expired")
	other := d.browser("")
	other.post("open", q.token, "", "new")
	other.post("claim", q.token, "", "unknown")
	if err := <-q.done; !errors.Is(err, ask.ErrTimeout) {
		t.Errorf("the outcome is %v", err)
	}
}

// TestWithdraw: a call that is cancelled takes its page with it.
func TestWithdraw(t *testing.T) {
	_, q, b := entered(t)
	q.cancel()
	<-q.done
	b.post("answer", q.token, rightKey, "closed")
}
