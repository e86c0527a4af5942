package drive_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/engine/wire/codex"
	"github.com/elicit-engine/elicit/internal/must"
)

// frontEnd is a client whose handlers answer. answers has what the app-server gets.
type frontEnd struct {
	drive.Host
	handlers drive.Handlers
	answers  chan string
	read     []byte // the message that is being received
}

func newFrontEnd(t *testing.T, config relay.Config) *frontEnd {
	f := &frontEnd{answers: make(chan string, 3)}
	config.Server, config.Role, config.Ask = "s", relay.AsClient, relay.AskClient
	d, err := drive.New(config, f, drive.Options{})
	must.OK(t, err)
	f.handlers.Receive = func(from relay.End, message []byte) error {
		f.read = message // no other message is received then
		return d.Receive(from, message)
	}
	return f
}

// hear receives a message of the server.
func (f *frontEnd) hear(t *testing.T, message string) {
	t.Helper()
	must.OK(t, f.handlers.Receive(relay.Server, []byte(message)))
}

func (f *frontEnd) Forward(to relay.End) { f.Send(to, f.read) }

func (f *frontEnd) Send(to relay.End, message []byte) {
	if to == relay.Client {
		f.handlers.Take(message)
	} else {
		f.answers <- string(message)
	}
}

func (f *frontEnd) Perform(relay.Effect) {}

const runs = `{"id":1,"method":"item/commandExecution/requestApproval","params":{"threadId":"t","turnId":"u",` +
	`"itemId":"i","startedAtMs":1,"command":"ls","cwd":"/w"}}`

func TestHandlers(t *testing.T) {
	const approval = "item/commandExecution/requestApproval"
	gives := func(result string) drive.Handler {
		return func(context.Context, []byte) ([]byte, error) { return []byte(result), nil }
	}
	for _, c := range []struct {
		name, asks, want string
		handlers         map[string]drive.Handler
	}{
		{"answers", runs, `{"id":1,"result":{"decision":"accept"}}`,
			map[string]drive.Handler{approval: gives(`{"decision":"accept"}`)}},
		{"nobody", runs, `{"id":1,"result":{"decision":"decline"}}`, nil},
		{"an unknown method", `{"id":2,"method":"item/new","params":{}}`, `"code":-32601`, nil},
		{"an error", `{"id":3,"method":"currentTime/read","params":{}}`, `"code":-32000`, map[string]drive.Handler{
			"currentTime/read": func(context.Context, []byte) ([]byte, error) { return nil, errors.New("the key is hunter2") }}},
		{"a panic", `{"id":3,"method":"currentTime/read","params":{}}`, `"code":-32000`, map[string]drive.Handler{
			"currentTime/read": func(context.Context, []byte) ([]byte, error) { panic("the key is hunter2") }}},
		{"no JSON", `{"id":3,"method":"currentTime/read","params":{}}`, `"code":-32000`, map[string]drive.Handler{
			"currentTime/read": gives(`{`)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFrontEnd(t, relay.Config{Protocol: relay.Codex})
			for method, handler := range c.handlers {
				f.handlers.On(method, gives(`{"decision":"cancel"}`))
				f.handlers.On(method, handler)
			}
			f.hear(t, c.asks)
			if got := <-f.answers; !strings.Contains(got, c.want) || strings.Contains(got, "hunter2") {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestWithdrawn withdraws a request while its handler runs. The handler answers late, when another request with the
// same id waits. Only the answer to the other one counts.
func TestWithdrawn(t *testing.T) {
	form := elicit.Modes{Form: true}
	const permission = `{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s",` +
		`"toolCall":{"toolCallId":"t","title":"Run"},"options":[{"optionId":"yes","name":"Y","kind":"allow_once"},` +
		`{"optionId":"no","name":"N","kind":"reject_once"}]}}`
	for _, c := range []struct {
		name                          string
		config                        relay.Config
		asks, withdraws, answer, late string
		want                          []string
	}{
		{"MCP", relay.Config{Session: &relay.Session{Version: "2025-11-25", Declared: form}},
			`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Day?","requestedSchema":` +
				`{"type":"object","properties":{}}}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
			`{"action":"decline"}`, `{"action":"accept","content":{}}`,
			[]string{`{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`}},
		{"a request that no person answers", relay.Config{Session: &relay.Session{Version: "2025-11-25", Declared: form}},
			`{"jsonrpc":"2.0","id":"a\u0062","method":"roots/list"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"ab"}}`,
			`{"roots":[]}`, `{"roots":[{"uri":"file:///late"}]}`,
			[]string{`{"jsonrpc":"2.0","id":"a\u0062","result":{"roots":[]}}`}},
		{"Codex", relay.Config{Protocol: relay.Codex}, runs,
			`{"method":"serverRequest/resolved","params":{"threadId":"t","requestId":1}}`,
			`{"decision":"decline"}`, `{"decision":"accept"}`, []string{`{"id":1,"result":{"decision":"decline"}}`}},
		{"the end of a turn of Codex", relay.Config{Protocol: relay.Codex}, runs,
			`{"method":"turn/completed","params":{"threadId":"t","turn":{"id":"u"}}}`,
			`{"decision":"decline"}`, "", []string{`{"id":1,"result":{"decision":"decline"}}`}},
		{"ACP", relay.Config{Protocol: relay.ACP}, permission,
			`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`,
			`{"outcome":{"outcome":"selected","optionId":"no"}}`, `{"outcome":{"outcome":"selected","optionId":"yes"}}`,
			[]string{`{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"cancelled"}}}`, // of the first request
				`{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"selected","optionId":"no"}}}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFrontEnd(t, c.config)
				answered := make(chan struct{})
				calls := 0
				f.handlers.On(gjson.Get(c.asks, "method").String(), func(ctx context.Context, _ []byte) ([]byte, error) {
					if calls++; calls == 1 {
						<-ctx.Done()
						<-answered
						if c.late == "" {
							return nil, ctx.Err()
						}
						return []byte(c.late), nil
					}
					<-answered
					time.Sleep(time.Second) // the late answer comes first
					return []byte(c.answer), ctx.Err()
				})
				f.handlers.Failed = func(_ string, why any) { t.Error(why) }
				f.hear(t, c.asks)
				synctest.Wait()
				f.hear(t, c.withdraws)
				synctest.Wait()
				f.hear(t, c.asks)
				synctest.Wait()
				close(answered)
				time.Sleep(2 * time.Second)
				synctest.Wait()
				close(f.answers)
				var got []string
				for one := range f.answers {
					got = append(got, one)
				}
				if !slices.Equal(got, c.want) || calls != 2 {
					t.Errorf("got %s after %d calls, want %s", got, calls, c.want)
				}
			})
		})
	}
}

// TestEveryCodexRequest: each request of the app-server comes to the handler of its method, and its answer goes back.
func TestEveryCodexRequest(t *testing.T) {
	const place = `"threadId":"t","turnId":"u","itemId":"i"`
	rows := map[string]struct{ params, result string }{
		codex.MethodElicitation: {`{"threadId":"t","turnId":null,"serverName":"s","mode":"form","message":"Day?",` +
			`"requestedSchema":{"type":"object","properties":{}}}`, `{"action":"accept","content":{},"_meta":null}`},
		codex.MethodCommand: {`{` + place + `,"startedAtMs":1,"command":"ls","cwd":"/w"}`, `{"decision":"accept"}`},
		codex.MethodPatch:   {`{` + place + `,"startedAtMs":1}`, `{"decision":"accept"}`},
		codex.MethodPermissions: {`{` + place + `,"startedAtMs":1,"cwd":"/w","permissions":{"network":{"enabled":true}}}`,
			`{"permissions":{"network":{"enabled":true}},"scope":"turn"}`},
		codex.MethodInput: {`{` + place + `,"questions":[{"id":"q","header":"H","question":"Day?","isOther":true,` +
			`"isSecret":false,"options":null}]}`, `{"answers":{"q":{"answers":["monday"]}}}`},
		codex.MethodCommandV1: {`{"conversationId":"c","callId":"k","command":["ls"],"cwd":"/w"}`, `{"decision":"approved"}`},
		codex.MethodPatchV1: {`{"conversationId":"c","callId":"k","fileChanges":{"/w/a":{"type":"add","content":"x"}}}`,
			`{"decision":"approved"}`},
		"item/tool/call": {`{"threadId":"t","turnId":"u","callId":"k","tool":"x","arguments":{}}`,
			`{"contentItems":[],"success":true}`},
		"account/chatgptAuthTokens/refresh": {`{"reason":"unauthorized"}`, `{"accessToken":"a","chatgptAccountId":"i"}`},
		"attestation/generate":              {`{}`, `{"token":"a"}`},
		"currentTime/read":                  {`{"threadId":"t"}`, `{"currentTimeAt":7}`},
	}
	for _, method := range []string{codex.MethodElicitation, codex.MethodCommand, codex.MethodPatch,
		codex.MethodPermissions, codex.MethodInput, codex.MethodCommandV1, codex.MethodPatchV1} {
		if rows[method].result == "" {
			t.Errorf("%s is not tried", method)
		}
	}
	for method, row := range rows {
		f := newFrontEnd(t, relay.Config{Protocol: relay.Codex})
		f.handlers.On(method, func(_ context.Context, params []byte) ([]byte, error) {
			var asked, got any
			if json.Unmarshal([]byte(row.params), &asked) != nil || json.Unmarshal(params, &got) != nil {
				return nil, errors.New("no JSON")
			}
			if !reflect.DeepEqual(asked, got) {
				return nil, fmt.Errorf("asked %s", params)
			}
			return []byte(row.result), nil
		})
		f.handlers.Failed = func(method string, why any) { t.Errorf("%s: %v", method, why) }
		f.hear(t, `{"id":"`+method+`","method":"`+method+`","params":`+row.params+`}`)
		if got, want := <-f.answers, `{"id":"`+method+`","result":`+row.result+`}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
