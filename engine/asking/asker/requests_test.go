package asker

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/site"
)

// TestRequestsAreBounded: requests beyond the limit are refused at once, so that a flood does not reach the store.
// Those within it get their answers, and make room.
func TestRequestsAreBounded(t *testing.T) {
	m, problems := New(Config{Store: true, Asking: asking.Config{Server: "bot", Page: "https://bot.example/#/"}})
	if problems != nil {
		t.Fatal(problems)
	}
	at := int64(0)
	request := func(n int) []Effect {
		at++
		token := fmt.Sprintf("s%d.x", n)
		base, _ := site.New("https://bot.example/#/", "bot", "")
		q := site.Request{Method: "POST", Host: "bot.example", Path: "/open", Body: []byte(`{"token":"` + token + `"}`),
			Headers: [][2]string{{"Origin", "https://bot.example"}, {"Content-Type", "application/json"}}}
		_, p := base.Begin(q, "secret", 0)
		q.Headers = append(q.Headers, [2]string{"Cookie", p.Headers[len(p.Headers)-1][1]})
		return m.Step(Input{At: at, Event: Requested{Ref: token, Request: q}})
	}
	status := func(effects []Effect) int {
		for _, next := range effects {
			if r, is := next.(Reply); is {
				return r.Response.Status
			}
		}
		return 0
	}
	for n := range mostVisits {
		if got := status(request(n)); got != 0 {
			t.Fatalf("request %d got %d", n, got)
		}
	}
	if got := status(request(mostVisits)); got != 503 {
		t.Errorf("one request too many got %d", got)
	}
	for n := range mostVisits {
		if got := status(m.Step(Input{At: at, Event: Missing{Session: fmt.Sprintf("s%d", n)}})); got != 404 {
			t.Errorf("request %d got %d", n, got)
		}
	}
	if got := status(request(0)); got != 0 {
		t.Errorf("after the others, a request got %d", got)
	}
}
