package browser

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

var anyLink = regexp.MustCompile(`http://\S+#(\w+)`)

// invitationInNote waits for the n-th link in the notes and returns its invitation.
func (d *rig) invitationInNote(n int) string {
	d.t.Helper()
	for deadline := time.Now().Add(wait); ; time.Sleep(time.Millisecond) {
		if all := anyLink.FindAllStringSubmatch(d.notes.String(), -1); len(all) >= n {
			return all[n-1][1]
		}
		if time.Now().After(deadline) {
			d.t.Fatalf("no link %d in the notes:\n%s", n, d.notes.String())
		}
	}
}

// enterWith redeems an invitation in a browser with this cookie, or with none for "". It returns the browser's cookie
// after that.
func (d *rig) enterWith(token, cookie string, want int) string {
	d.t.Helper()
	status, _, header := d.send(d.request(http.MethodPost, "enter", `{"token":"`+token+`"}`,
		func(r *http.Request) { r.Header.Set("Cookie", cookie) }))
	if status != want {
		d.t.Fatalf("enter: got %d, want %d", status, want)
	}
	if set := header.Get("Set-Cookie"); set != "" {
		cookie, _, _ = strings.Cut(set, ";")
	}
	return cookie
}

// TestTheLinkIsPrintedOnlyWhenOpeningFails: clients keep printed text in logs, which other users may read.
func TestTheLinkIsPrintedOnlyWhenOpeningFails(t *testing.T) {
	t.Run("opened", func(t *testing.T) {
		d := newRig(t, "{}")
		d.ask("1", nameForm)
		<-d.opened
		d.enter()
		d.page.Close()
		if notes := d.notes.String(); strings.Contains(notes, "http") || !strings.Contains(notes,
			"a question waits on a page in your browser") {
			t.Errorf("the notes are %s", notes)
		}
	})
	t.Run("failed", func(t *testing.T) {
		opened := make(chan string, 1)
		d := newRigWith(t, "{}", 0, func(o *Options) {
			o.Open = func(target string) error { opened <- readText(t, target); return errors.New("no such \u009bprogram") }
		})
		d.ask("1", nameForm)
		private, printed := anyLink.FindStringSubmatch(strings.ReplaceAll(<-opened, `"`, " "))[1], d.invitationInNote(1)
		if private == printed {
			t.Error("the printed invitation is the one in the private file")
		}
		contains(t, "notes", d.notes.String(), "cannot open a browser (no such <U+009B>program)")
		d.enterWith(printed, "", http.StatusNoContent)
	})
	t.Run("nobody came", func(t *testing.T) {
		d := newRigWith(t, "{}", 0, func(o *Options) { o.readingTime = time.Millisecond })
		d.ask("1", nameForm)
		d.enterWith(d.invitationInNote(1), "", http.StatusNoContent)
		contains(t, "notes", d.notes.String(), "no browser has opened the page")
	})
	t.Run("asked not to open", func(t *testing.T) {
		d := newRigWith(t, "{}", 0, func(o *Options) { o.Open = nil })
		d.ask("1", nameForm)
		if d.invitationInNote(1) == d.invitationInNote(2) {
			t.Error("one invitation is printed twice")
		}
	})
}

// TestAnotherBrowserIsReported: a second browser cannot connect without a warning to the person.
func TestAnotherBrowserIsReported(t *testing.T) {
	d, page := newOpenRig(t, "{}")
	if strings.Contains(d.notes.String(), "another browser") {
		t.Errorf("the first browser is another one: %s", d.notes)
	}
	again := d.page.server.access.invite()
	if d.enterWith(again, d.cookie, http.StatusNoContent) != d.cookie || strings.Contains(d.notes.String(),
		"another browser") {
		t.Errorf("the same browser counts as another one: %s", d.notes)
	}
	d.enterWith(d.page.server.access.invite(), "", http.StatusNoContent)
	contains(t, "notes", d.notes.String(), "another browser has opened the page: 2 browsers can answer now")
	contains(t, "page", page.nextEvent("browsers"), "2")
	contains(t, "a page that is loaded later", d.listen().nextEvent("browsers"), "2")
}

// TestAUsedLinkWithdrawsAllCookies: an attacker reads the link in a log and connects first. The person's own attempt
// then shows that two browsers have had the link, and the attacker's browser can no longer answer.
func TestAUsedLinkWithdrawsAllCookies(t *testing.T) {
	d := newRigWith(t, "{}", 0, func(o *Options) { o.Open = nil })
	d.ask("1", nameForm)
	first, second := d.invitationInNote(1), d.invitationInNote(2)
	d.cookie = d.enterWith(first, "", http.StatusNoContent)
	thief := d.listen()
	id := thief.shownID()
	d.enterWith(second, "", http.StatusUnauthorized) // using the first invitation invalidated it
	d.post("answer", `{"id":"`+id+`","action":"accept","content":{}}`, http.StatusUnauthorized)
	for { // the stream ends
		if _, err := thief.lines.ReadString('\n'); err != nil {
			break
		}
	}
	contains(t, "notes", d.notes.String(), "no browser can answer any more; use this new link")
	notes := d.notes.String()
	d.enterWith(first, "", http.StatusUnauthorized)
	if d.notes.String() != notes {
		t.Error("whoever has an old link can fill the notes")
	}
	d.cookie = d.enterWith(d.invitationInNote(3), "", http.StatusNoContent)
	if d.listen().shownID() != id {
		t.Error("the question is lost")
	}
}

// TestAUsedLinkOpensThePageAgain is the same attack when the process opens browsers: the new link is in a private file.
func TestAUsedLinkOpensThePageAgain(t *testing.T) {
	d := newRig(t, "{}")
	d.ask("1", nameForm)
	<-d.opened
	used := d.page.server.access.invite()
	d.cookie = d.enterWith(used, "", http.StatusNoContent)
	d.listen().shownID()
	d.enterWith(used, "", http.StatusUnauthorized)
	select {
	case <-d.opened:
	case <-time.After(wait):
		t.Fatal("no browser was opened")
	}
	contains(t, "notes", d.notes.String(), "no browser can answer any more; the page opens again now")
	if strings.Contains(d.notes.String(), "http") {
		t.Errorf("a link is printed: %s", d.notes)
	}
}
