// Package page collects a form or a secret on a page that a server hosts itself. The answer goes from the person's
// browser straight to the server: no client and no model sees it.
//
// A server makes a link with [Handler.Link] and offers it to its client by URL mode. The person opens the link, reads
// who asks, and presses Continue. That click, and no other request, gives the link to this browser. A link preview or a
// mail scanner cannot use it up. A second browser is refused. docs/asking.md has the whole sequence.
//
// The handler keeps no state. A [Source] has the questions, and says who may answer. Any node may therefore serve any
// request, if the nodes share the source. [Memory] is a Source for one process.
//
//	questions := page.NewMemory(nil)
//	pages, err := page.New(page.Options{Source: questions, Base: "https://example.org/ask/", Name: "Deployments",
//		Principal: signedIn, SignIn: "/login?next=/ask/"})
//	mux.Handle("/ask/", pages)
//	question := page.Question{Message: "The key, please", Form: form, Secret: true}
//	token, answers, err := questions.Put(question, "ada", check)
//	send(pages.Link(token))
package page

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Source has the open questions. Its methods are called by many goroutines at once. A token comes from a stranger: it
// may be forged, and has at most 8 KiB. A method that refuses returns one of the errors of this package, also wrapped.
// Any other error means that the source is out of order, and the page says so.
//
// A source checks the principal before everything else that the token names. It must refuse a Visitor without a
// principal when the question belongs to a principal, and compare principals exactly.
type Source interface {
	// Claim gives the link to a browser, if no browser has it yet, and returns its question. The same browser may claim
	// again. Claim must decide between two browsers that claim at the same time, on any node. A refused claim changes
	// nothing. ErrUsed: another browser has the link.
	Claim(ctx context.Context, token string, v Visitor) (Question, error)
	// Open returns the question of a link that this browser has claimed. ErrUsed: it has not,
	// whether or not another browser has.
	Open(ctx context.Context, token string, v Visitor) (Question, error)
	// Answer settles the question of a link that this browser has claimed. With problems, the answer is wrong and the
	// question stays open. ErrAnswered: it was settled before, and this answer counts for nothing.
	Answer(ctx context.Context, token string, v Visitor, a Answer) ([]elicit.Problem, error)
}

// Visitor is who looks at a page.
type Visitor struct {
	// Principal is the person, as Options.Principal names them. It is "" without that function.
	Principal string
	// Browser is the browser: a digest of the secret in its cookie, 64 hexadecimal digits. A source may store it.
	Browser string
}

// Question is what the page draws. All texts are untrusted, and the page draws them as text.
type Question struct {
	Server   string          // who asks; "" is Options.Name
	Tool     string          // the tool that asks, if any
	Message  string          // what is asked
	Form     json.RawMessage // the compiled form, as in the engine's show effect; nil for a yes or no
	Findings []elicit.Finding
	Deadline int64 // milliseconds since 1970-01-01 UTC; 0 for none
	// Secret draws every field as a password, without its default.
	Secret bool
}

// Answer is what the person did.
type Answer struct {
	Action  elicit.Action
	Content json.RawMessage // the JSON text that the browser sent, unchecked; nil unless the action is accept
	Cleared []string        // fields with a default that the person emptied on purpose
}

// The errors with which a Source or Options.Principal refuses. The page has a sentence for each.
var (
	ErrUnknown   = errors.New("page: no such link")                  // or one that is forged
	ErrForbidden = errors.New("page: the link is for somebody else") // another principal, or no principal
	ErrUsed      = errors.New("page: another browser has the link")
	ErrExpired   = errors.New("page: the deadline has passed")
	ErrAnswered  = errors.New("page: the question was answered")
	ErrClosed    = errors.New("page: the question was withdrawn")
	ErrSignIn    = errors.New("page: nobody is signed in") // of Options.Principal
	ErrBusy      = errors.New("page: too many questions are open")
)
