package drive_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/engine/relay"
)

// frontEnd is a client whose handlers answer. answers has what the app-server gets.
type frontEnd struct {
	drive.Host
	handlers drive.Handlers
	answers  chan string
	read     []byte // the message that is being received
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
	gives := func(result string) drive.Handler { return func([]byte) ([]byte, error) { return []byte(result), nil } }
	for _, c := range []struct {
		name, asks, want string
		handlers         map[string]drive.Handler
	}{
		{"answers", runs, `{"id":1,"result":{"decision":"accept"}}`,
			map[string]drive.Handler{approval: gives(`{"decision":"accept"}`)}},
		{"nobody", runs, `{"id":1,"result":{"decision":"decline"}}`, nil},
		{"an unknown method", `{"id":2,"method":"item/new","params":{}}`, `"code":-32601`, nil},
		{"an error", `{"id":3,"method":"currentTime/read","params":{}}`, `"code":-32000`, map[string]drive.Handler{
			"currentTime/read": func([]byte) ([]byte, error) { return nil, errors.New("the key is hunter2") }}},
		{"a panic", `{"id":3,"method":"currentTime/read","params":{}}`, `"code":-32000`, map[string]drive.Handler{
			"currentTime/read": func([]byte) ([]byte, error) { panic("the key is hunter2") }}},
		{"no JSON", `{"id":3,"method":"currentTime/read","params":{}}`, `"code":-32000`, map[string]drive.Handler{
			"currentTime/read": gives(`{`)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &frontEnd{answers: make(chan string, 1), read: []byte(c.asks)}
			d, err := drive.New(relay.Config{Server: "codex", Protocol: relay.Codex, Role: relay.AsClient, Ask: relay.AskClient},
				f, drive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			f.handlers.Receive = func(from relay.End, message []byte) error {
				f.read = message // no other message is received then
				return d.Receive(from, message)
			}
			for method, handler := range c.handlers {
				f.handlers.On(method, gives(`{"decision":"cancel"}`))
				f.handlers.On(method, handler)
			}
			if err := d.Receive(relay.Server, []byte(c.asks)); err != nil {
				t.Fatal(err)
			}
			if got := <-f.answers; !strings.Contains(got, c.want) || strings.Contains(got, "hunter2") {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
