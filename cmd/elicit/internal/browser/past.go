package browser

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/schema"
)

// past is how one question ended, as a page tells it: who asked, what was decided, by whom and why.
type past struct {
	Number   int       `json:"number"` // counts the questions that ended
	ID       elicit.ID `json:"id,omitempty"`
	Asked    int64     `json:"asked"` // milliseconds since 1970
	Ended    int64     `json:"ended"`
	Server   string    `json:"server"`
	Tool     string    `json:"tool,omitempty"`
	Mode     string    `json:"mode"`
	Message  string    `json:"message"`
	URL      string    `json:"url,omitempty"`
	Outcome  string    `json:"outcome"` // accept, decline, cancel, error; withdrawn when there was no reply
	Cause    string    `json:"cause"`
	By       string    `json:"by"` // the cause in words
	Why      []string  `json:"why,omitempty"`
	Noticed  []string  `json:"noticed,omitempty"`
	Receipts []string  `json:"receipts,omitempty"`
	Answer   []given   `json:"answer,omitempty"`
	Page     string    `json:"page,omitempty"` // of an agreed page: awaited, completed or lapsed

	turn int
}

// given is one answered field.
type given struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Bounds of what is told of a question that is over. The journal has the whole.
const (
	mostPast    = 200
	mostLines   = 16
	mostMessage = 300 // characters
)

// remember adds a question to the history; the oldest makes room.
func (b *board) remember(q *question, r *engine.Reply) {
	b.ended++
	b.turn++
	p := &past{Number: b.ended, ID: r.ID, Asked: q.since.UnixMilli(), Ended: time.Now().UnixMilli(), Server: clip(q.request.Server),
		Tool: clip(q.request.Tool), Mode: string(q.request.Mode), Message: clip(q.request.Message), URL: clip(q.request.URL),
		Outcome: string(r.Outcome), Cause: string(r.Cause), By: english.Cause(r.Cause), turn: b.turn}
	if r.Outcome == "" {
		p.Outcome = "withdrawn"
	}
	for _, x := range r.Reasons {
		p.Why = append(p.Why, english.Reason(x))
	}
	for _, x := range r.Problems {
		p.Why = append(p.Why, strings.TrimPrefix(x.Pointer+": "+english.Problem(x), ": "))
	}
	for _, x := range r.Findings {
		p.Noticed = append(p.Noticed, english.Finding(x))
	}
	for _, x := range r.Receipts {
		p.Receipts = append(p.Receipts, string(x))
	}
	p.Why, p.Noticed = p.Why[:min(len(p.Why), mostLines)], p.Noticed[:min(len(p.Noticed), mostLines)]
	if q.show != nil && q.show.Form != nil && r.Outcome == elicit.Accepted {
		p.Answer = answers(q.show.Form, r.Content)
	}
	if q.show != nil && q.request.Mode == elicit.URL && r.Outcome == elicit.Accepted && q.request.Link != "" {
		p.Page = "awaited"
	}
	b.past = append(b.past, p)
	if len(b.past) > mostPast {
		b.past = slices.Delete(b.past, 0, len(b.past)-mostPast)
	}
}

// answers tells what was answered, without what is sensitive.
func answers(form *schema.Form, content []byte) (list []given) {
	gjson.ParseBytes(content).ForEach(func(name, value gjson.Result) bool {
		field := form.Field(name.String())
		switch {
		case field == nil:
		case field.Sensitive:
			list = append(list, given{clip(field.Label), "(not kept)"})
		default:
			list = append(list, given{clip(field.Label), clip(value.String())})
		}
		return len(list) < mostLines
	})
	return list
}

func (b *board) resolve(r engine.Resolve) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.past {
		if p.ID == r.ID && r.ID != "" {
			b.turn++
			p.Page, p.turn = string(r.Resolution), b.turn
			b.touch()
		}
	}
}

// clip bounds a peer's text and shows what in it is meant not to be seen.
func clip(s string) string {
	s = ui.Plain(s[:min(len(s), 4*mostMessage)])
	if len(s) <= mostMessage {
		return s
	}
	n := mostMessage
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

func asJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only strings and numbers of ours are ever marshalled
	}
	return text
}
