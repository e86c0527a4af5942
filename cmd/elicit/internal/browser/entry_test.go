package browser

import (
	"errors"
	"net"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

var anyLink = regexp.MustCompile(`http://\S+#(\w+)`)

// linkIn waits for the n-th link in the notes and returns its invitation.
func (d *desk) linkIn(n int) string {
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

// browse enters with an invitation in a browser that has a cookie or none, and returns the cookie that it has then.
func (d *desk) browse(token, cookie string, want int) string {
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

// TestTheLinkIsPrintedOnlyWhenOpeningFails: clients keep what is printed in logs that others may read.
func TestTheLinkIsPrintedOnlyWhenOpeningFails(t *testing.T) {
	t.Run("opened", func(t *testing.T) {
		d := sit(t, "{}")
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
		d := sitFor(t, "{}", 0, func(o *Options) {
			o.Open = func(target string) error { opened <- readText(t, target); return errors.New("no such \u009bprogram") }
		})
		d.ask("1", nameForm)
		private, printed := anyLink.FindStringSubmatch(strings.ReplaceAll(<-opened, `"`, " "))[1], d.linkIn(1)
		if private == printed {
			t.Error("the printed invitation is the one in the private file")
		}
		contains(t, "notes", d.notes.String(), "cannot open a browser (no such <U+009B>program)")
		d.browse(printed, "", http.StatusNoContent)
	})
	t.Run("nobody came", func(t *testing.T) {
		d := sitFor(t, "{}", 0, func(o *Options) { o.reading = time.Millisecond })
		d.ask("1", nameForm)
		d.browse(d.linkIn(1), "", http.StatusNoContent)
		contains(t, "notes", d.notes.String(), "no browser has come in")
	})
	t.Run("asked not to open", func(t *testing.T) {
		d := sitFor(t, "{}", 0, func(o *Options) { o.Open = nil })
		d.ask("1", nameForm)
		if d.linkIn(1) == d.linkIn(2) {
			t.Error("one invitation is printed twice")
		}
	})
}

// TestAnotherBrowserIsTold holds that nobody comes in beside the person without the person hearing of it.
func TestAnotherBrowserIsTold(t *testing.T) {
	d := sit(t, "{}")
	d.enter()
	page := d.listen()
	if strings.Contains(d.notes.String(), "another browser") {
		t.Errorf("the first browser is another one: %s", d.notes)
	}
	again := d.page.door.passes.invite()
	if d.browse(again, d.cookie, http.StatusNoContent) != d.cookie || strings.Contains(d.notes.String(),
		"another browser") {
		t.Errorf("the same browser counts as another one: %s", d.notes)
	}
	d.browse(d.page.door.passes.invite(), "", http.StatusNoContent)
	contains(t, "notes", d.notes.String(), "another browser has entered the page: 2 browsers can answer now")
	contains(t, "page", page.next("browsers"), "2")
	contains(t, "a page that is loaded later", d.listen().next("browsers"), "2")
}

// TestAUsedLinkSendsEverybodyOut is the attack by one who reads the log and enters first. The person's own attempt then
// shows that two had the link, and whoever came first can no longer answer.
func TestAUsedLinkSendsEverybodyOut(t *testing.T) {
	d := sitFor(t, "{}", 0, func(o *Options) { o.Open = nil })
	d.ask("1", nameForm)
	first, second := d.linkIn(1), d.linkIn(2)
	d.cookie = d.browse(first, "", http.StatusNoContent)
	thief := d.listen()
	id := thief.shownID()
	d.browse(second, "", http.StatusUnauthorized) // it ended when the first was used
	d.post("answer", `{"id":"`+id+`","action":"accept","content":{}}`, http.StatusUnauthorized)
	for { // the stream ends
		if _, err := thief.lines.ReadString('\n'); err != nil {
			break
		}
	}
	contains(t, "notes", d.notes.String(), "no browser can answer any more; use this new link")
	notes := d.notes.String()
	d.browse(first, "", http.StatusUnauthorized)
	if d.notes.String() != notes {
		t.Error("whoever has an old link can fill the notes")
	}
	d.cookie = d.browse(d.linkIn(3), "", http.StatusNoContent)
	if d.listen().shownID() != id {
		t.Error("the question is lost")
	}
}

// TestAUsedLinkOpensThePageAnew is the same where browsers are opened: the new link goes into a private file.
func TestAUsedLinkOpensThePageAnew(t *testing.T) {
	d := sit(t, "{}")
	d.ask("1", nameForm)
	<-d.opened
	used := d.page.door.passes.invite()
	d.cookie = d.browse(used, "", http.StatusNoContent)
	d.listen().shownID()
	d.browse(used, "", http.StatusUnauthorized)
	select {
	case <-d.opened:
	case <-time.After(wait):
		t.Fatal("no browser was opened")
	}
	contains(t, "notes", d.notes.String(), "no browser can answer any more; the page opens anew now")
	if strings.Contains(d.notes.String(), "http") {
		t.Errorf("a link is printed: %s", d.notes)
	}
}

// flood is a listener with more connections than there is room for. It records how deep the stack is in each Accept.
type flood struct {
	net.Listener
	left   int
	depths map[int]bool
}

func (f *flood) Accept() (net.Conn, error) {
	f.depths[runtime.Callers(0, make([]uintptr, 64))] = true
	if f.left--; f.left < 0 {
		return nil, net.ErrClosed
	}
	c, _ := net.Pipe()
	return c, nil
}

func TestRefusedConnectionsTakeNoStack(t *testing.T) {
	f := &flood{left: 1000, depths: map[int]bool{}}
	l := bounded(f, 1)
	if _, err := l.Accept(); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Fatalf("got %v", err)
	}
	if len(f.depths) != 1 {
		t.Errorf("the stack had %d depths", len(f.depths))
	}
}
