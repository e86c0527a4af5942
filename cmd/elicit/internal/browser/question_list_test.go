package browser

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/internal/must"
)

func contains(t *testing.T, what, text string, pieces ...string) {
	t.Helper()
	for _, piece := range pieces {
		if !strings.Contains(text, piece) {
			t.Errorf("%s: got %s\nwant it to contain %s", what, text, piece)
		}
	}
}

func TestAnswerGoesThroughTheEngine(t *testing.T) {
	d, page := newOpenRig(t, "{}")
	d.ask("1", nameForm)
	id := page.shownID()

	contains(t, "check", d.post("check", `{"id":"`+id+`","content":{"name":"a"}}`, 200), `"code":"too_short"`,
		`"pointer":"/name"`, `"message":"`)
	contains(t, "unfit", d.post("answer", `{"id":"`+id+`","action":"accept","content":{"name":"a"}}`, 200),
		`"code":"too_short"`)
	contains(t, "unknown action", d.post("answer", `{"id":"`+id+`","action":"maybe"}`, 200), `"code":"unknown_action"`)
	contains(t, "fit", d.post("answer", `{"id":"`+id+`","action":"accept","content":{"name":"Ann","token":"s3cret"}}`,
		200),
		`"outcome":"accept"`, `"cause":"user"`, `"problems":[]`)
	r := <-d.replies
	if r.Outcome != elicit.Accepted || string(r.Content) != `{"name":"Ann","token":"s3cret"}` {
		t.Errorf("the engine replied %s %s", r.Outcome, r.Content)
	}
	past := page.nextEvent("past")
	contains(t, "history", past, `"outcome":"accept"`, `"server":"files"`, `"tool":"deploy"`, `"message":"Question 1"`,
		`"value":"Ann"`)
	if strings.Contains(past, "s3cret") {
		t.Errorf("the history keeps a secret: %s", past)
	}
	if got := page.nextEvent("question"); got != "null" {
		t.Errorf("after the end: got %s", got)
	}
	d.post("answer", `{"id":"`+id+`","action":"decline"}`, http.StatusGone)
}

// TestGuardiansMayTakeLongerThanOneRequest: the first response says that there is no result yet. The page asks again,
// and gets a result that came in between.
func TestGuardiansMayTakeLongerThanOneRequest(t *testing.T) {
	d := newRigWith(t, `{"guardians":[{"name":"slow","phases":["before_send"],"reads":["/answer"],"deadline_ms":600000}]}`,
		300*time.Millisecond, nil)
	d.enter()
	page := d.listen()
	d.ask("1", nameForm)
	id := page.shownID()
	answer, again := `{"id":"`+id+`","action":"accept","content":{"name":"Ann"}}`, `{"id":"`+id+`"}`
	contains(t, "answer", d.post("answer", answer, 200), `"waiting":true`, `"problems":[]`)
	c := <-d.asks
	contains(t, "await", d.post("await", again, 200), `"waiting":true`)
	d.do(c.Answer(event.Consulted{Output: `{"v":1,"decision":"ask","findings":[` +
		`{"code":"name","pointer":"/answer/name","message":"really Ann?"}]}`}))
	contains(t, "fate", d.post("await", again, 200), `"code":"guardian_unconfirmed"`, `"pointer":"/name"`, "really Ann?")
	d.post("await", again, http.StatusGone)
	contains(t, "answer again", d.post("answer", answer, 200), `"waiting":true`)
	c = <-d.asks
	d.do(c.Answer(event.Consulted{Output: `{"v":1,"decision":"pass"}`}))
	contains(t, "end", d.post("await", again, 200), `"outcome":"accept"`)
	d.post("await", again, http.StatusGone)
}

func TestCheckIsTheEnginesOwn(t *testing.T) {
	d, page := newOpenRig(t, "{}")
	d.ask("1", `{"n":{"type":"integer","maximum":3},"mail":{"type":"string","format":"email"}}`)
	id := page.shownID()
	for _, content := range []string{`{}`, `{"n":4}`, `{"n":1.5}`, `{"mail":"x"}`, `{"n":"3","mail":"a@example.org"}`,
		`{"n":1,"n":2}`} {
		checked := d.post("check", `{"id":"`+id+`","content":`+content+`}`, 200)
		if content == `{}` {
			if checked != `{"problems":[]}` {
				t.Errorf("%s: got %s", content, checked)
			}
			continue
		}
		if answered := d.post("answer", `{"id":"`+id+`","action":"accept","content":`+content+`}`, 200); checked != answered {
			t.Errorf("%s: checked %s\nanswered %s", content, checked, answered)
		}
	}
}

func TestReloadKeepsTheDraftButNoSecret(t *testing.T) {
	d, first := newOpenRig(t, "{}")
	d.ask("1", nameForm)
	id := first.shownID()
	d.post("draft", `{"id":"`+id+`","content":{"name": "An",`+"\n"+`"token":"s3cret","other":1}}`, 204)
	d.waitForLoop()
	contains(t, "reload", d.listen().nextEvent("question"), `"draft":{"name":"An"}`)
}

func TestAWithdrawnQuestionEndsWithItsReason(t *testing.T) {
	d, page := newOpenRig(t, "{}")
	d.ask("1", nameForm)
	page.shownID()
	d.cancel("1")
	contains(t, "history", page.nextEvent("past"), `"outcome":"withdrawn"`, `"cause":"peer_cancelled"`)
	if got := page.nextEvent("question"); got != "null" {
		t.Errorf("got %s", got)
	}
}

// TestAWithdrawnQuestionKeepsItsReceipts: "nobody saw it" and "the person had it on the screen" are told apart.
func TestAWithdrawnQuestionKeepsItsReceipts(t *testing.T) {
	d, page := newOpenRig(t, "{}")
	d.ask("1", nameForm)
	id := page.shownID()
	d.post("receipt", `{"id":"`+id+`","what":"shown"}`, 204)
	d.post("receipt", `{"id":"`+id+`","what":"shown"}`, 204)
	d.post("receipt", `{"id":"`+id+`","what":"made up"}`, 204)
	d.ask("2", nameForm)
	d.cancel("1")
	contains(t, "history", page.nextEvent("past"), `"outcome":"withdrawn"`, `"receipts":["shown"],"shown":1`)
	d.cancel("2")
	if past := page.nextEvent("past"); strings.Contains(past, "shown") {
		t.Errorf("no page drew it: %s", past)
	}
}

// TestAWaitingQuestionCanBeChosen: it is drawn at once, the other one waits with what was typed, and comes back.
func TestAWaitingQuestionCanBeChosen(t *testing.T) {
	d, page := newOpenRig(t, "{}")
	d.ask("1", nameForm)
	first := page.shownID()
	d.ask("2", "{}")
	d.ask("3", "{}")
	d.post("draft", `{"id":"`+first+`","content":{"name":"An"}}`, 204)
	d.post("choose", `{"number":3}`, 204)
	contains(t, "question", page.nextEvent("question"), `"message":"Question 3"`)
	contains(t, "a page that is loaded later", d.listen().nextEvent("question"), `"message":"Question 3"`)
	d.post("choose", `{"number":99}`, 204)
	d.post("choose", `{"number":1}`, 204)
	contains(t, "back", page.nextEvent("question"), `"id":"`+first+`"`, `"draft":{"name":"An"}`)
	d.post("answer", `{"id":"`+first+`","action":"decline"}`, 200)
	contains(t, "then", page.nextEvent("question"), `"message":"Question 3"`)
}

func TestQuestionsWaitAndAreCounted(t *testing.T) {
	d, page := newOpenRig(t, "{}")
	d.ask("1", nameForm)
	first := page.shownID()
	d.ask("2", "{}")
	contains(t, "waiting", page.nextEvent("waiting"), `"message":"Question 2"`)
	d.post("answer", `{"id":"`+first+`","action":"decline"}`, 200)
	contains(t, "history", page.nextEvent("past"), `"outcome":"decline"`, `"cause":"user"`)
	if got := page.nextEvent("waiting"); got != "[]" {
		t.Errorf("waiting: got %s", got)
	}
	if second := page.shownID(); second == first {
		t.Error("the answered question is still there")
	}
}

func TestHiddenTextIsShownInListsToo(t *testing.T) {
	d, page := newOpenRig(t, "{}")
	d.ask("1", nameForm)
	id := page.shownID()
	d.put(elicit.Request{Session: "s", Ref: "2", Server: "files", Side: elicit.Answering, Mode: elicit.Form,
		Message: "pay\u202e001\u200b " + strings.Repeat("é", mostMessage),
		Schema:  []byte(`{"type":"object","properties":{}}`)})
	for text := page.nextEvent("waiting"); ; text = page.nextEvent("waiting") {
		if text == "[]" {
			continue
		}
		contains(t, "waiting", text, "U+202E", "U+200B", "…")
		break
	}
	d.post("answer", `{"id":"`+id+`","action":"decline"}`, 200)
	page.nextEvent("past")
	d.cancel("2")
	contains(t, "history", page.nextEvent("past"), "U+202E", "U+200B", "…")
}

func TestPolicyIsHeardInTheHistory(t *testing.T) {
	d := newRig(t, `{"policy":{"user":{"version":1,"rules":[`+
		`{"name":"no","when":{"sensitive":true},"then":"decline","why":"secrets never"}]}}}`)
	d.enter()
	page := d.listen()
	d.ask("1", nameForm)
	contains(t, "history", page.nextEvent("past"), `"outcome":"decline"`, `"cause":"policy"`, "secrets never")
}

func TestReceiptsAndTimeReachTheEngine(t *testing.T) {
	d, page := newOpenRig(t, `{"limits":{"answer_ttl_ms":600000}}`)
	d.ask("1", nameForm)
	id := page.shownID()
	for _, what := range []string{"shown", "focused", "first_input"} {
		d.post("receipt", `{"id":"`+id+`","what":"`+what+`"}`, 204)
	}
	d.post("extend", `{"id":"`+id+`"}`, 204)
	page.nextEvent("deadline")
	d.post("answer", `{"id":"`+id+`","action":"cancel"}`, 200)
	contains(t, "history", page.nextEvent("past"), `"receipts":["shown","focused","first_input"]`)
}

func TestMuteEndsWhatWaits(t *testing.T) {
	d, page := newOpenRig(t, "{}")
	d.ask("1", nameForm)
	id := page.shownID()
	d.ask("2", "{}")
	d.post("answer", `{"id":"`+id+`","action":"decline","mute":true}`, 200)
	contains(t, "first", page.nextEvent("past"), `"outcome":"decline"`)
	contains(t, "second", page.nextEvent("past"), `"outcome":"cancel"`, `"cause":"policy"`)
}

func TestAVisitedPageIsFollowed(t *testing.T) {
	d, page := newOpenRig(t, "{}")
	d.put(elicit.Request{Session: "s", Ref: "1", Server: "files", Side: elicit.Answering, Mode: elicit.URL,
		Message: "Sign in",
		URL:     "https://example.org/in", Link: "l"})
	id := page.shownID()
	d.post("answer", `{"id":"`+id+`","action":"accept"}`, 200)
	contains(t, "agreed", page.nextEvent("past"), `"page":"awaited"`)
	d.receive("notifications/elicitation/complete", "", `{"elicitationId":"l"}`)
	contains(t, "finished", page.nextEvent("past"), `"page":"completed"`)
}

func TestTheEndIsTold(t *testing.T) {
	d, page := newOpenRig(t, "{}")
	go d.page.Close()
	page.nextEvent("bye")
}

// TestASlowPageDelaysNothing: a page never reads, and the list keeps no updates for it.
func TestASlowPageDelaysNothing(t *testing.T) {
	d := newRig(t, "{}")
	d.enter()
	d.listenWithoutReading()
	page := d.listen()
	long := strings.Repeat("x", 40<<10)
	for i := range 200 {
		d.put(elicit.Request{Session: "s", Ref: "r", Server: "files", Side: elicit.Answering, Mode: elicit.Form,
			Message: long, Schema: []byte(`{"type":"object","properties":{}}`)})
		if i >= 5 { // beyond the burst no question is shown
			continue
		}
		id := page.shownID()
		d.post("answer", `{"id":"`+id+`","action":"decline"}`, 200)
	}
	d.page.questionList.mu.Lock()
	defer d.page.questionList.mu.Unlock()
	if n := len(d.page.questionList.history); n != mostEndedQuestions {
		t.Errorf("%d ends are kept, want %d", n, mostEndedQuestions)
	}
}

func TestBrowserIsOpenedOnAFileThatOnlyWeCanRead(t *testing.T) {
	d := newRig(t, "{}")
	d.ask("1", nameForm)
	var target string
	select {
	case target = <-d.opened:
	case <-time.After(wait):
		t.Fatal("no browser was opened")
	}
	if strings.Contains(target, "http") || strings.Contains(target, d.page.server.key) {
		t.Fatalf("the opener was given %s, which every user can read", target)
	}
	stat, err := os.Stat(target)
	must.OK(t, err)
	if stat.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v", stat.Mode())
	}
	contains(t, "file", must.Text(t, target), `content="0;url=`+d.page.server.origin()+d.page.server.path()+"#")
	d.ask("2", nameForm)
	d.page.Close()
	if _, err := os.Stat(target); !os.IsNotExist(err) {
		t.Errorf("the file outlives the page: %v", err)
	}
	if len(d.opened) != 0 {
		t.Error("a second browser was opened at once")
	}
}

func TestNoBrowserIsOpenedBesideAPage(t *testing.T) {
	d, page := newOpenRig(t, "{}")
	page.nextEvent("question")
	d.ask("1", nameForm)
	page.shownID()
	if len(d.opened) != 0 {
		t.Error("a browser was opened although a page is")
	}
}
