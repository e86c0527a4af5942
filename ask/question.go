package ask

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/structform"
)

// Question is what a handler asks. Hooks get a copy.
type Question struct {
	Mode    elicit.Mode
	Message string
	Schema  json.RawMessage // form mode
	URL     string          // URL mode
	Wait    bool            // URL mode: wait until Completed; otherwise until the person consents to visit the URL
	Secret  bool            // form mode: the answer must not pass the client or a model
	For     string          // form mode: the principal who may answer, on the server's page; "" for the caller
	TTL     time.Duration   // 0 for the Asker's

	opened func(id string) // of Wait
}

// Answer is an accepted answer: a JSON object for a form, nil for a URL.
type Answer struct {
	ID      elicit.ID
	Content json.RawMessage
	Page    bool // the person gave it on the server's own page
	Model   bool // a model passed it on
}

// Option changes a question before it is asked.
type Option func(*Question)

// TTL bounds how long the question may stay open.
func TTL(d time.Duration) Option { return func(q *Question) { q.TTL = d } }

// OnPage lets the person answer on the server's own page only: the answer passes neither the client nor a model.
func OnPage() Option { return func(q *Question) { q.Secret = true } }

// For lets a principal answer who is not the caller, such as a second approver, on the server's own page. The caller
// gets its link to pass on, and may give up: ErrCancelled.
func For(principal string) Option { return func(q *Question) { q.For = principal } }

// Raw asks any question.
func Raw(ctx context.Context, q Question, options ...Option) (Answer, error) {
	for _, change := range options {
		change(&q)
	}
	r, err := running(ctx)
	if err != nil {
		return Answer{}, err
	}
	next, hooks := r.pose, r.asker.options.Hooks
	for _, hook := range slices.Backward(hooks) {
		next = hook(next)
	}
	answer, err := next(ctx, q)
	if err != nil || q.Mode != elicit.Form || len(hooks) == 0 {
		return answer, err
	}
	ref := r.asker.ref()
	return answer, failed(r.asker.tell(ref, asker.Checked{Ref: ref, Schema: q.Schema, Content: answer.Content}))
}

// Next puts a question and returns its answer.
type Next func(ctx context.Context, q Question) (Answer, error)

// Hook wraps the asking of every question. It may change the question, refuse it with an error of its own, and change
// the answer, which is then checked against the schema of the question that the handler asked.
type Hook func(next Next) Next

// Schema derives the requested schema of a struct, in the restricted grammar of MCP. Each exported field is a property:
// a string, a bool, an integer, a float, or a slice of strings, which needs an enum. A pointer, or ",omitempty" in the
// json tag, makes a field optional. These tags describe it:
//
//	json         its name; "-" leaves it out
//	title        its label
//	description  a sentence below it
//	enum         the choices, with commas between them; titles after a colon: "eu:Europe,us:America"
//	default      what is filled in
//	min, max     the bounds of a number, of the length of a string, or of the number of chosen items
//	format       "email", "uri", "date" or "date-time"
//
// A tag that the type cannot have is an error.
func Schema[T any]() (json.RawMessage, error) {
	schema, err := structform.Schema(reflect.TypeFor[T]())
	if err != nil {
		return nil, fmt.Errorf("ask: %w", err)
	}
	return schema, nil
}

// Form asks for the fields of T, which must be a struct; see Schema for its tags.
func Form[T any](ctx context.Context, message string, options ...Option) (T, error) {
	var to T
	schema, err := Schema[T]()
	if err != nil {
		return to, err
	}
	content, err := form(ctx, message, schema, options)
	if err != nil {
		return to, err
	}
	if err = json.Unmarshal(content, &to); err != nil {
		err = fmt.Errorf("ask: the answer does not fit %T: %w", to, err)
	}
	return to, err
}

// Secret asks for the fields of T on the server's own page. The answer passes neither the client nor a model, as MCP
// demands for passwords, keys and tokens (2025-11-25 client/elicitation, Security).
func Secret[T any](ctx context.Context, message string, options ...Option) (T, error) {
	return Form[T](ctx, message, append(options[:len(options):len(options)], OnPage())...)
}

// Confirm asks for a yes. It returns nil for a yes, and ErrDeclined for a no.
func Confirm(ctx context.Context, message string, options ...Option) error {
	_, err := form(ctx, message, []byte(`{"type":"object","properties":{}}`), options)
	return err
}

// Choice is one of the choices of Choose.
type Choice struct {
	Value string `json:"const"`
	Title string `json:"title"`
}

// A model reads the schema in this order of members, as in the other languages.
const chooseSchema = `{"type":"object","required":["choice"],"properties":{"choice":{"type":"string","oneOf":%s}}}`

// Choose asks the person to choose one of at least one choices, and returns its Value. A Title may be "".
func Choose(ctx context.Context, message string, choices []Choice, options ...Option) (string, error) {
	all := append([]Choice{}, choices...)
	for i, c := range all {
		all[i].Title = cmp.Or(c.Title, c.Value)
	}
	content, err := form(ctx, message, fmt.Appendf(nil, chooseSchema, encoded(all)), options)
	var chosen struct{ Choice string }
	if err == nil {
		err = json.Unmarshal(content, &chosen)
	}
	return chosen.Choice, err
}

func form(ctx context.Context, message string, schema []byte, options []Option) ([]byte, error) {
	answer, err := Raw(ctx, Question{Mode: elicit.Form, Message: message, Schema: schema}, options...)
	return answer.Content, err
}

// Wait lets URL return when the server has reported with Asker.Completed that the flow behind the URL is finished.
// opened gets the id to report, before the person gets the URL. A later run may give the same id again. The URL must be
// the same in every run.
func Wait(opened func(id string)) Option {
	return func(q *Question) { q.Wait, q.opened = true, opened }
}

// URL asks the person to visit a URL, and returns when they have consented; see Wait.
func URL(ctx context.Context, message, url string, options ...Option) error {
	_, err := Raw(ctx, Question{Mode: elicit.URL, Message: message, URL: url}, options...)
	return err
}

func (q Question) posed() asking.Question {
	return asking.Question{Mode: q.Mode, Message: q.Message, Schema: q.Schema, URL: q.URL, Wait: q.Wait, Secret: q.Secret,
		For: q.For, TTL: milliseconds(q.TTL)}
}
