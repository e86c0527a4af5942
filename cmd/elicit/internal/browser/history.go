package browser

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/schema"
)

// endedQuestion is one question of the history, as the page gets it: who asked, what was decided, by whom and why.
type endedQuestion struct {
	Number   int             `json:"number"` // counts the questions that ended
	ID       elicit.ID       `json:"id,omitempty"`
	Asked    int64           `json:"asked"` // milliseconds since 1970
	Ended    int64           `json:"ended"`
	Server   string          `json:"server"`
	Tool     string          `json:"tool,omitempty"`
	Mode     string          `json:"mode"`
	Message  string          `json:"message"`
	URL      string          `json:"url,omitempty"`
	Outcome  string          `json:"outcome"` // accept, decline, cancel, error; withdrawn when there was no reply
	Cause    string          `json:"cause"`
	By       string          `json:"by"` // the cause in words
	Why      []string        `json:"why,omitempty"`
	Noticed  []string        `json:"noticed,omitempty"`
	Receipts []event.Receipt `json:"receipts,omitempty"`
	Shown    int64           `json:"shown,omitempty"` // when it was first drawn, 0 for never
	Answer   []answeredField `json:"answer,omitempty"`
	Page     string          `json:"page,omitempty"` // of an agreed page: awaited, completed or lapsed

	revision int
}

// answeredField is one field of an answer.
type answeredField struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Bounds of the history and of one entry. The journal has all of it.
const (
	mostEndedQuestions = 200
	mostLines          = 16
	mostMessage        = 300 // characters
)

// addToHistory adds a question to the history. In a full history it replaces the oldest. The caller holds the lock.
func (l *questionList) addToHistory(q *question, r *effect.Reply) {
	l.endedCount++
	l.revision++
	p := &endedQuestion{Number: l.endedCount, ID: r.ID, Asked: q.since.UnixMilli(), Ended: time.Now().UnixMilli(),
		Server: clip(q.request.Server), Tool: clip(q.request.Tool), Mode: string(q.request.Mode),
		Message: clip(q.request.Message), URL: clip(q.request.URL),
		Outcome: string(r.Outcome), Cause: string(r.Cause), By: english.Ended(r.Cause, r.Reasons),
		Why: each.Of(r.Reasons, english.Why), Receipts: slices.Clone(q.receipts), revision: l.revision}
	if r.Outcome == "" {
		p.Outcome = "withdrawn"
	}
	for _, x := range r.Problems {
		p.Why = append(p.Why, strings.TrimPrefix(x.Pointer+": "+english.Problem(x), ": "))
	}
	p.Noticed = each.Of(english.Warnings(r.Findings), func(w english.Warning) string { return w.Text })
	if !q.drawn.IsZero() {
		p.Shown = q.drawn.UnixMilli()
	}
	p.Why, p.Noticed = p.Why[:min(len(p.Why), mostLines)], p.Noticed[:min(len(p.Noticed), mostLines)]
	if q.show != nil && q.show.Form != nil && r.Outcome == elicit.Accepted {
		p.Answer = answers(q.show.Form, r.Content)
	}
	if q.show != nil && q.request.Mode == elicit.URL && r.Outcome == elicit.Accepted && q.request.Link != "" {
		p.Page = "awaited"
	}
	l.history = append(l.history, p)
	if len(l.history) > mostEndedQuestions {
		l.history = slices.Delete(l.history, 0, len(l.history)-mostEndedQuestions)
	}
}

// answers lists the fields of an answer, without the values of sensitive ones.
func answers(form *schema.Form, content []byte) (list []answeredField) {
	gjson.ParseBytes(content).ForEach(func(name, value gjson.Result) bool {
		field := form.Field(name.String())
		switch {
		case field == nil:
		case field.Sensitive:
			list = append(list, answeredField{clip(field.Label), "(not kept)"})
		default:
			list = append(list, answeredField{clip(field.Label), clip(value.String())})
		}
		return len(list) < mostLines
	})
	return list
}

// Resolve records how a page that the person agreed to open ended.
func (l *questionList) Resolve(r effect.Resolve) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.history {
		if p.ID == r.ID && r.ID != "" {
			l.revision++
			p.Page, p.revision = string(r.Resolution), l.revision
			l.notifyPages()
		}
	}
}

// clip shortens a peer's text, and makes its invisible characters visible.
func clip(s string) string {
	s = ui.Plain(s[:min(len(s), 4*mostMessage)])
	return plain.Cut(s, mostMessage)
}

func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: the types of this package marshal without an error
	}
	return text
}
