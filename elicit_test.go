package elicit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/internal/must"
)

const (
	initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"serverInfo":{"name":"s","version":"1"}}}`
	where = `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Where to?","requestedSchema":` +
		`{"type":"object","properties":{"region":{"type":"string","enum":["eu","us"]}},"required":["region"]}}}`
)

// ends collects what a connection writes, as "client: …" and "server: …".
type ends struct{ wrote chan string }

func newEnds() ends { return ends{make(chan string, 100)} }

func (e ends) host(ask func(context.Context, elicit.Question) elicit.Answer) elicit.Host {
	return elicit.Host{
		ToClient: func(m []byte) { e.wrote <- "client: " + string(m) },
		ToServer: func(m []byte) { e.wrote <- "server: " + string(m) },
		Ask:      ask,
	}
}

// begin opens a connection and plays its first two messages.
func begin(t *testing.T, c elicit.Connection, e ends, host elicit.Host, o elicit.Options) *elicit.Conn {
	t.Helper()
	conn, err := elicit.Open(c, host, o)
	if conn == nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	must.OK(t, conn.FromClient([]byte(initialize)))
	if got := <-e.wrote; !strings.HasPrefix(got, "server: ") || !strings.Contains(got, `"initialize"`) {
		t.Fatalf("the client's first message became %s", got)
	}
	must.OK(t, conn.FromServer([]byte(initialized)))
	if got := <-e.wrote; got != "client: "+initialized {
		t.Fatalf("the server's first message became %s", got)
	}
	return conn
}

// TestAnswerIsAskedForAgain checks that an unfit answer comes back to Ask with its problems, and that only a valid one
// reaches the server.
func TestAnswerIsAskedForAgain(t *testing.T) {
	e, asked := newEnds(), []string{}
	conn := begin(t, elicit.Connection{Server: "build"}, e,
		e.host(func(_ context.Context, q elicit.Question) elicit.Answer {
			asked = append(asked, q.Message)
			if len(q.Problems) == 0 {
				return elicit.Answer{Action: elicit.Accept, Content: map[string]string{"region": "moon"}}
			}
			if q.Problems[0].Pointer != "/region" {
				t.Errorf("the problem is at %q", q.Problems[0].Pointer)
			}
			return elicit.Answer{Action: elicit.Accept, Content: map[string]string{"region": "eu"}}
		}), elicit.Options{})
	must.OK(t, conn.FromServer([]byte(where)))
	if got := <-e.wrote; !strings.Contains(got, `"action":"accept","content":{"region":"eu"}`) || !strings.HasPrefix(got,
		"server: ") {
		t.Errorf("the answer became %s", got)
	}
	if len(asked) != 2 || asked[0] != "Where to?" {
		t.Errorf("asked %q", asked)
	}
}

// TestUnfitAnswersEnd checks that a program that always gives the same unfit answer is stopped, and that the server
// gets a cancel.
func TestUnfitAnswersEnd(t *testing.T) {
	e := newEnds()
	c := elicit.Connection{Server: "build"}
	conn := begin(t, c, e, e.host(func(context.Context, elicit.Question) elicit.Answer {
		return elicit.Answer{Action: elicit.Accept, Content: map[string]string{"region": "moon"}}
	}), elicit.Options{})
	must.OK(t, conn.FromServer([]byte(where)))
	if got := <-e.wrote; !strings.Contains(got, `"action":"cancel"`) {
		t.Errorf("the end was %s", got)
	}
}

// TestAnswerWithoutAction checks that the program hears of an answer that says nothing, and is not asked again.
func TestAnswerWithoutAction(t *testing.T) {
	for _, action := range []elicit.Action{"", "acept"} {
		e, asked, heard := newEnds(), make(chan string, 100), make(chan string, 1)
		host := e.host(func(_ context.Context, q elicit.Question) elicit.Answer {
			asked <- q.Message
			return elicit.Answer{Action: action}
		})
		host.Effect = func(ef elicit.Effect) {
			if text := string(ef.AppendJSON(nil)); strings.HasPrefix(text, `{"effect":"problem",`) {
				heard <- text
			}
		}
		conn := begin(t, elicit.Connection{Server: "build"}, e, host, elicit.Options{})
		must.OK(t, conn.FromServer([]byte(where)))
		if got := <-e.wrote; !strings.Contains(got, `"action":"cancel"`) {
			t.Errorf("%q: the end was %s", action, got)
		}
		if got := <-heard; !strings.Contains(got, `"code":"unknown_action"`) {
			t.Errorf("%q: the program heard %s", action, got)
		}
		if len(asked) != 1 {
			t.Errorf("%q: asked %d times", action, len(asked))
		}
	}
}

// TestContentThatIsNoJSON checks that an answer that JSON cannot express is no agreement.
func TestContentThatIsNoJSON(t *testing.T) {
	e := newEnds()
	conn := begin(t, elicit.Connection{Server: "build"}, e, e.host(func(context.Context, elicit.Question) elicit.Answer {
		return elicit.Answer{Action: elicit.Accept, Content: func() {}}
	}), elicit.Options{})
	must.OK(t, conn.FromServer([]byte(where)))
	if got := <-e.wrote; !strings.Contains(got, `"action":"cancel"`) {
		t.Errorf("the end was %s", got)
	}
}

// TestWithdrawnQuestionEndsItsContext checks that the context of Ask ends when the server withdraws a question, and
// that the answer is not used.
func TestWithdrawnQuestionEndsItsContext(t *testing.T) {
	e, over := newEnds(), make(chan struct{})
	conn := begin(t, elicit.Connection{Server: "build"}, e,
		e.host(func(ctx context.Context, _ elicit.Question) elicit.Answer {
			<-ctx.Done()
			close(over)
			return elicit.Answer{Action: elicit.Accept, Content: map[string]string{"region": "eu"}}
		}), elicit.Options{})
	must.OK(t, conn.FromServer([]byte(where)))
	cancelled := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1"}}`
	must.OK(t, conn.FromServer([]byte(cancelled)))
	<-over
	conn.Close()
	close(e.wrote)
	for m := range e.wrote {
		t.Errorf("written after the question was taken back: %s", m)
	}
}

// TestPageIsOpenedAfterConsent checks that the page opens only after the person agreed.
func TestPageIsOpenedAfterConsent(t *testing.T) {
	e, steps := newEnds(), []string{}
	host := e.host(func(_ context.Context, q elicit.Question) elicit.Answer {
		steps = append(steps, "asked "+q.URL)
		return elicit.Answer{Action: elicit.Accept}
	})
	host.Open = func(url string) { steps = append(steps, "opened "+url) }
	conn := begin(t, elicit.Connection{Server: "build"}, e, host, elicit.Options{})
	page := `{"jsonrpc":"2.0","id":"q2","method":"elicitation/create","params":{"mode":"url","message":"Sign in",` +
		`"url":"https://example.com/in","elicitationId":"L"}}`
	must.OK(t, conn.FromServer([]byte(page)))
	if got := <-e.wrote; !strings.Contains(got, `"action":"accept"`) {
		t.Errorf("the answer became %s", got)
	}
	conn.Close()
	if got := strings.Join(steps, ", "); got != "asked https://example.com/in, opened https://example.com/in" {
		t.Error(got)
	}
}

// TestPolicyAnswersAlone checks that without Ask, policy answers what it can, and Effect gets the reasons.
func TestPolicyAnswersAlone(t *testing.T) {
	e, settled := newEnds(), make(chan elicit.Effect, 100)
	host := e.host(nil)
	host.Effect = func(ef elicit.Effect) { settled <- ef }
	c := elicit.Connection{Server: "build", Ask: elicit.AskPolicy}
	c.Config.Policy.User = []byte(`{"version":1,"rules":[{"when":{"server":"build"},"then":"decline"}]}`)
	conn := begin(t, c, e, host, elicit.Options{})
	must.OK(t, conn.FromServer([]byte(where)))
	if got := <-e.wrote; !strings.Contains(got, `"action":"decline"`) {
		t.Errorf("the answer became %s", got)
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Append([]byte) error { return errFull }

// TestJournalThatFails checks that the connection is returned with the error, forwards messages, and refuses questions.
func TestJournalThatFails(t *testing.T) {
	e := newEnds()
	host := e.host(func(context.Context, elicit.Question) elicit.Answer {
		t.Error("a question was asked without a record")
		return elicit.Answer{Action: elicit.Accept}
	})
	conn, err := elicit.Open(elicit.Connection{Server: "build"}, host, elicit.Options{Journal: fullDisk{}})
	var journal *drive.JournalError
	if !errors.As(err, &journal) || !errors.Is(err, errFull) || conn == nil {
		t.Fatalf("%v, %v", conn, err)
	}
	defer conn.Close()
	must.OK(t, conn.FromServer([]byte(where)))
	if got := <-e.wrote; !strings.Contains(got, `"id":"q1"`) || strings.Contains(got, `"accept"`) {
		t.Errorf("the question became %s", got)
	}
}

// TestOpenTakesTextsAlone: JSON would make one name of two that are not UTF-8.
func TestOpenTakesTextsAlone(t *testing.T) {
	for _, c := range []elicit.Connection{{Server: "\xff"}, {Server: "s", Identity: "\xff"},
		{Server: "s", Principal: "\xff"}} {
		if _, err := elicit.Open(c, elicit.Host{}, elicit.Options{}); err == nil ||
			!strings.Contains(err.Error(), "UTF-8") {
			t.Errorf("%q %q %q: %v", c.Server, c.Identity, c.Principal, err)
		}
	}
}

// TestOpenNamesProblems checks that the error has every problem with its pointer.
func TestOpenNamesProblems(t *testing.T) {
	host := newEnds().host(nil)
	for name, c := range map[string]elicit.Connection{
		"/server":                  {},
		"/role":                    {Server: "s", Role: "other"},
		"/config/limits/shown":     {Server: "s", Config: elicit.Config{Limits: elicit.Limits{Shown: new(1 << 20)}}},
		"/config/profile":          {Server: "s", Config: elicit.Config{Profile: "strict"}},
		"/config/guardians/0/name": {Server: "s", Config: elicit.Config{Guardians: []elicit.Guardian{{}}}},
	} {
		conn, err := elicit.Open(c, host, elicit.Options{})
		if conn != nil || err == nil || !strings.Contains(err.Error(), strings.TrimPrefix(name, "/config")) {
			t.Errorf("%s: %v, %v", name, conn, err)
		}
	}
}

var _ elicit.Effect = effect.Show{} // Effect gets the engine's own effects
