package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// asked is one call with one question, and all that happens to it.
type asked struct {
	*cluster
	way
	number    int
	principal string

	serial  atomic.Int64 // of answers
	effects atomic.Int64 // of the handler, which must be one at most
	racing  sync.WaitGroup

	mu      sync.Mutex
	past    bool // nothing more is begun for it
	history []porcupine.Operation
	errors  []string
}

// perNumber is more than the answers to one question. An answer tells its question.
const perNumber = 1000

func (c *cluster) newAsked(w way) *asked {
	number := int(c.asked.Add(1))
	return &asked{cluster: c, way: w, number: number, principal: fmt.Sprint("p", number%7)}
}

func (a *asked) wrong(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.errors = append(a.errors, fmt.Sprintf("question %d (%s): ", a.number, a.way.name)+fmt.Sprintf(format, args...))
}

// races lets somebody act. The client of a killed node may still speak when it is too late for that.
func (a *asked) races(act func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.past {
		a.racing.Go(act)
	}
}

// record keeps an operation that began at a time and ends now. One whose end nobody knows never ends.
func (a *asked) record(begun time.Time, did operation) {
	end := time.Since(epoch).Nanoseconds()
	if did.result == unknown {
		end = 1 << 62
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.history = append(a.history, porcupine.Operation{ClientId: len(a.history), Input: did, Output: did.result,
		Call: begun.Sub(epoch).Nanoseconds(), Return: end})
}

var epoch = time.Now()

// count counts an answer that the store decided about.
func (a *asked) count(decided bool) {
	if decided {
		a.answers.Add(1)
	}
}

func (a *asked) content() (value int, content json.RawMessage) {
	value = a.number*perNumber + int(a.serial.Add(1))
	return value, fmt.Appendf(nil, `{"answer":%d}`, value)
}

// handler asks, and then acts. It may act once.
func (a *asked) handler(ctx context.Context) error {
	schema := json.RawMessage(`{"type":"object","properties":{"answer":{"type":"integer"}},"required":["answer"]}`)
	answer, err := ask.Raw(ctx, ask.Question{Mode: elicit.Form, Message: fmt.Sprintf("Question %d?", a.number),
		Schema: schema})
	if err != nil {
		return err
	}
	var said struct{ Answer int }
	if err := json.Unmarshal(answer.Content, &said); err != nil || said.Answer/perNumber != a.number {
		a.wrong("it got the answer %s of another: %v", answer.Content, err)
	}
	a.record(time.Now(), operation{taken, said.Answer, done})
	if a.effects.Add(1) > 1 {
		a.wrong("its handler acts twice")
	}
	return nil
}

// call makes a call on a node.
func (a *asked) call(n *node, with ask.Call) (*ask.Interruption, error) {
	if with.Method == "" {
		with = ask.Call{Client: a.client(n), Target: "tool", Arguments: fmt.Appendf(nil, `{"number":%d}`, a.number),
			State: with.State, Responses: with.Responses}
	}
	ctx, cancel := context.WithTimeout(n.ctx, patience)
	defer cancel()
	i, err := a.asker(n).Do(ctx, with, a.handler)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		a.wrong("its outcome is lost: %v", err)
	}
	return i, err
}

// asker is one that has pages, or one without for a client that is to answer through its model.
func (a *asked) asker(n *node) *ask.Asker {
	if a.way.name == "text" {
		return n.plain
	}
	return n.Asker
}

// patience is how long an ask may wait while answers are given.
const patience = 90 * time.Second

func (a *asked) client(n *node) ask.Client {
	c := ask.Client{Principal: a.principal, Version: a.version, Declared: a.declared}
	if a.requests {
		c.Session = fmt.Sprint(n.name, a.number%5, a.principal)
		c.Conn = requests(a.request)
	}
	return c
}

// request is the client. It visits pages, and fills in forms: the first time wrong.
func (a *asked) request(_ context.Context, params json.RawMessage) json.RawMessage {
	var asks struct{ Mode, Message, URL string }
	err := json.Unmarshal(params, &asks)
	if err != nil || !strings.HasPrefix(asks.Message, fmt.Sprintf("Question %d?", a.number)) {
		a.wrong("its client was asked %q: %v", asks.Message, err)
	}
	if asks.Mode == "url" {
		a.visit(asks.URL)
		return json.RawMessage(`{"action":"accept"}`)
	}
	a.answers.Add(1)
	if a.serial.Load() == 0 {
		a.content()
		return json.RawMessage(`{"action":"accept","content":{"answer":"no number"}}`)
	}
	value, content := a.content()
	a.record(time.Now(), operation{given, value, unknown})
	return fmt.Appendf(nil, `{"action":"accept","content":%s}`, content)
}

// visit lets many answer on the page, at once and on all nodes.
func (a *asked) visit(url string) {
	token := strings.TrimPrefix(url, "https://bot.example/ask/")
	session, link, _ := strings.Cut(token, ".")
	elsewhere := strings.Repeat("0", len(session)) + "." + link
	for range 3 {
		a.races(func() { a.fill(token) })
	}
	refuse := func(what, token, principal string, content string) {
		a.races(func() {
			problems, err := a.any().AnswerPage(context.Background(), token, principal, elicit.Accept, []byte(content), nil)
			a.count(!errors.Is(err, ask.ErrStore))
			if err == nil && len(problems) == 0 {
				a.wrong("%s counts", what)
			}
		})
	}
	_, right := a.content()
	refuse("the answer of a foreign principal", token, "mallory", string(right))
	refuse("an answer for a foreign session", elsewhere, a.principal, string(right))
	refuse("an answer of a wrong type", token, a.principal, `{"answer":"x"}`)
}

// fill answers on the page until it is known whether the answer counts.
func (a *asked) fill(token string) {
	value, content := a.content()
	for again := false; ; again = true {
		begun := time.Now()
		problems, err := a.any().AnswerPage(context.Background(), token, a.principal, elicit.Accept, content, nil)
		a.count(!errors.Is(err, ask.ErrStore))
		switch {
		case errors.Is(err, ask.ErrStore):
			if !again { // it may count from now on
				a.record(begun, operation{given, value, unknown})
			}
			time.Sleep(time.Millisecond) // between two attempts
			continue
		case err == nil && len(problems) == 0:
			a.record(begun, operation{given, value, done})
		case err == nil:
			a.wrong("its right answer has problems: %v", problems)
		default:
			a.record(begun, operation{given, value, refused})
		}
		return
	}
}

var pageInText = regexp.MustCompile(`https://bot\.example/ask/[0-9a-f.]+`)

var idInText = regexp.MustCompile(`"id":"([0-9a-f.]+)"`)

// pass lets models pass on answers, at once and on all nodes. Whoever is told to lets the handler run again.
func (a *asked) pass(text string) {
	found := idInText.FindStringSubmatch(text)
	if found == nil {
		a.wrong("no id in %q", text)
		return
	}
	page := pageInText.FindString(text)
	if page != "" {
		a.visit(page)
		a.racing.Wait()
	}
	say := func(principal string, content json.RawMessage) (*ask.Call, string) {
		again, text := a.asker(a.any()).Submit(context.Background(), ask.Client{Principal: principal, Version: a.version},
			ask.Submission{ID: found[1], Action: elicit.Accept, Content: content})
		a.count(!strings.Contains(text, ask.ErrStore.Error()))
		return again, text
	}
	a.races(func() {
		if again, _ := say("mallory", json.RawMessage(`{"answer":1}`)); again != nil {
			a.wrong("a foreign principal lets it run")
		}
	})
	for range 3 {
		a.races(func() {
			value, content := a.content()
			for recorded := false; ; {
				begun := time.Now()
				if page != "" {
					content = nil
				}
				again, text := say(a.principal, content)
				failed := strings.Contains(text, ask.ErrStore.Error())
				if page == "" && !recorded && (failed || again != nil) { // of several, any may be told to let it run
					recorded = true
					a.record(begun, operation{given, value, unknown})
				}
				if again != nil {
					_, err := a.call(a.any(), *again)
					failed = errors.Is(err, ask.ErrStore) && a.effects.Load() == 0
				}
				if !failed {
					return
				}
				time.Sleep(time.Millisecond) // between two attempts
			}
		})
	}
}

// repeat makes the call again with the state, several times at once. One counts.
func (a *asked) repeat(result json.RawMessage) {
	var got struct {
		InputRequests map[string]struct{ Params struct{ URL string } }
		RequestState  string
	}
	if err := json.Unmarshal(result, &got); err != nil || len(got.InputRequests) != 1 {
		a.wrong("an interrupted call: %s", result)
		return
	}
	for key, request := range got.InputRequests {
		if request.Params.URL != "" {
			a.visit(request.Params.URL)
			a.racing.Wait()
		}
		for range 3 {
			a.races(func() {
				response := `{"action":"accept"}`
				if request.Params.URL == "" {
					value, content := a.content()
					a.record(time.Now(), operation{given, value, unknown})
					response = fmt.Sprintf(`{"action":"accept","content":%s}`, content)
				}
				_, err := a.call(a.any(), ask.Call{State: got.RequestState, Responses: fmt.Appendf(nil, `{%q:%s}`, key, response)})
				a.count(!errors.Is(err, ask.ErrStore))
			})
		}
	}
}

// live makes the call, answers, and returns whether the handler acted.
func (a *asked) live() bool {
	i, err := a.call(a.any(), ask.Call{})
	if err == nil && i != nil {
		text := string(i.Result)
		if a.version >= "2026-07-28" {
			a.repeat(i.Result)
		} else {
			var result struct{ Content []struct{ Text string } }
			if err := json.Unmarshal(i.Result, &result); err != nil || len(result.Content) != 1 {
				a.wrong("an interrupted call: %s", text)
				return false
			}
			a.pass(result.Content[0].Text)
		}
	}
	a.mu.Lock()
	a.past = true
	a.mu.Unlock()
	a.racing.Wait()
	acted := a.effects.Load() > 0
	if !acted { // it may have ended without an answer at any time
		time.Sleep(20 * time.Millisecond) // before another attempt: the store may be away
		a.record(epoch, operation{ended, 0, unknown})
	}
	a.mu.Lock() // the client of a killed node may still speak
	defer a.mu.Unlock()
	a.errors = append(a.errors, a.check()...)
	slices.Sort(a.errors)
	return acted
}
