package elicit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine"
	nouns "github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
)

// Config is the configuration of an engine. json.Marshal spells it as the engine reads it, and the zero value is {}:
// the defaults, and no policy. The engine checks a configuration when a connection is opened; Check does so earlier.
type Config struct {
	// Profile says how much beyond a protocol's own grammar a schema may use. "tolerant" also takes what real servers
	// send when nothing is lost. A protocol date takes the grammar of that date alone.
	Profile string `json:"profile,omitempty"`
	// Pauses asks for `pause` effects. They tell a host to stop its timers while a person is being asked.
	Pauses bool `json:"pauses,omitempty"`
	// JoinDuplicates gives one answer to the same question asked twice.
	JoinDuplicates bool `json:"join_duplicates,omitempty"`
	// OfferScopes makes `show` effects say for how long a yes may be remembered.
	OfferScopes bool `json:"offer_scopes,omitempty"`
	// ShowChanges makes `show` effects say what has changed since the person last accepted almost the same question.
	ShowChanges bool `json:"show_changes,omitempty"`
	// Servers names servers that are known before any session opens. No other server may imitate them
	// (docs/reference/flagged.md).
	Servers []string `json:"servers,omitempty"`
	// Grants are the remembered answers with scope "always", as `remember` effects told them. A list replaces the grants
	// that the engine has, and an empty list drops them; nil keeps them.
	Grants Grants `json:"grants,omitzero"`
	// Guardians are consulted in this order, before a question is shown and before an answer is sent (docs/guardians.md).
	Guardians []Guardian `json:"guardians,omitempty"`
	// Limits bound what a peer may send and how long a question may stay open.
	Limits Limits `json:"limits,omitzero"`
	// Policy holds a policy document for each layer (docs/reference/policy.md).
	Policy Policies `json:"policy,omitzero"`
}

// Limits bound one engine. Nil stands for the default. Write new(3) to set a limit to three.
type Limits struct {
	// Message is the longest message of a question.
	Message *int `json:"message,omitempty"`
	// Schema is the longest schema of a question.
	Schema *int `json:"schema,omitempty"`
	// URL is the longest URL of a question.
	URL *int `json:"url,omitempty"`
	// Answer is the longest answer.
	Answer *int `json:"answer,omitempty"`
	// Note is the bytes of a note; 0 takes no notes.
	Note *int `json:"note,omitempty"`
	// Arguments is the bytes of the arguments of a held call, as asked and as edited.
	Arguments *int `json:"arguments,omitempty"`
	// Fields is the most fields of a form.
	Fields *int `json:"fields,omitempty"`
	// Choices is the most choices of a field.
	Choices *int `json:"choices,omitempty"`
	// Text is the longest single text in an answer.
	Text *int `json:"text,omitempty"`
	// Sessions is the most sessions that are open at once.
	Sessions *int `json:"sessions,omitempty"`
	// Queue is the most questions of a session that are open at once.
	Queue *int `json:"queue,omitempty"`
	// HeldCalls is the most calls of a session that wait for an answer at once, beside the questions of queue. The rates
	// are not about them.
	HeldCalls *int `json:"held_calls,omitempty"`
	// Shown is the most questions that are before a person at once, over all sessions.
	Shown *int `json:"shown,omitempty"`
	// Ended is how many ended questions are remembered, so that a late answer can be told from an unknown one.
	Ended *int `json:"ended,omitempty"`
	// PerMinute is how many questions of a server somebody has to look at in a minute.
	PerMinute *int `json:"per_minute,omitempty"`
	// Burst is how many of them may come at once.
	Burst *int `json:"burst,omitempty"`
	// PerMinuteSession is the same as per_minute for one session; 0 sets no bound of its own.
	PerMinuteSession *int `json:"per_minute_session,omitempty"`
	// BurstSession is the same as burst for one session.
	BurstSession *int `json:"burst_session,omitempty"`
	// AdmittedPerMinute is how many questions of a server are admitted in a minute, whoever answers them.
	AdmittedPerMinute *int `json:"admitted_per_minute,omitempty"`
	// AdmittedBurst is how many of them may come at once.
	AdmittedBurst *int `json:"admitted_burst,omitempty"`
	// FloodBytes is how much events that change nothing may add to the journal in a burst; beyond it they are counted.
	FloodBytes *int `json:"flood_bytes,omitempty"`
	// AnswerTTLMS is how long a question may stay open; 0 sets no end.
	AnswerTTLMS *int `json:"answer_ttl_ms,omitempty"`
	// ShownTTLMS is how long a question may stay open after it was shown; 0 sets no end. The time of a question that
	// waits behind another one has not begun. With AnswerTTLMS too, the earlier end holds.
	ShownTTLMS *int `json:"shown_ttl_ms,omitempty"`
	// PageTTLMS is how long a visited page may take until it counts as lapsed; 0 sets no end.
	PageTTLMS *int `json:"page_ttl_ms,omitempty"`
	// UnseenMS is how long after a question was shown a cancel of the client counts as one that no person gave. The
	// question then comes to the host's own surface, if there is one; 0 takes every cancel for the person's.
	UnseenMS *int `json:"unseen_ms,omitempty"`
}

// Policies has the text of a policy document for each layer, the strongest layer first. A lower layer can only tighten
// a higher one. Nil means no document. Any other text must be a document: an empty file is a problem, and a layer with
// a problem declines every question.
type Policies struct {
	// Managed is the administrator's document. No other layer can loosen it.
	Managed Text `json:"managed_text,omitzero"`
	// ManagedPath says where Managed was read, for people who read the journal. It decides nothing.
	ManagedPath string `json:"managed_path,omitzero"`
	// User is the document of the person who is asked.
	User Text `json:"user_text,omitzero"`
	// Project is the document of the project that the person works on.
	Project Text `json:"project_text,omitzero"`
	// Session is the document of one session.
	Session Text `json:"session_text,omitzero"`
}

// Text is a JSON document that keeps its spelling, so that problems in it have the correct line and column. Its own
// JSON is a string.
type Text []byte

// MarshalJSON returns the document as a JSON string. A document that is not UTF-8 is an error, because a JSON string
// would hold another text.
func (t Text) MarshalJSON() ([]byte, error) {
	if !utf8.Valid(t) {
		return nil, errors.New("elicit: a policy document is not UTF-8")
	}
	return json.Marshal(string(t))
}

// UnmarshalJSON reads a JSON string.
func (t *Text) UnmarshalJSON(doc []byte) error {
	var s string
	if err := json.Unmarshal(doc, &s); err != nil {
		return err
	}
	*t = Text(s)
	return nil
}

// Guardian is what an operator lets one guardian do. docs/guardians.md tells more of each member.
type Guardian struct {
	// Name is what reasons call the guardian; unique in the list.
	Name string `json:"name"`
	// Digest is the SHA-256 of the guardian's module, 64 hex digits. Left out, the host runs the guardian.
	Digest string `json:"digest,omitempty"`
	// Declared is what the module's manifest says it wants.
	Declared *Declared `json:"declared,omitempty"`
	// Settings is a JSON object for the module.
	Settings json.RawMessage `json:"settings,omitempty"`
	// DataDigest is the SHA-256 of the module's data document, 64 hex digits.
	DataDigest string `json:"data_digest,omitempty"`
	// Reads is what the module may see, as JSON pointers.
	Reads []string `json:"reads,omitzero"`
	// Phases is when the guardian is consulted; left out, whenever it declares.
	Phases []string `json:"phases,omitzero"`
	// Audit makes the verdicts be recorded and not counted.
	Audit bool `json:"audit,omitempty"`
	// Fuel bounds the steps of one evaluation.
	Fuel int64 `json:"fuel,omitempty"`
	// WASI lets the module import WASI, as plugins/ABI.md describes.
	WASI bool `json:"wasi,omitempty"`
	// DeadlineMS bounds the time a verdict may take.
	DeadlineMS int64 `json:"deadline_ms,omitempty"`
	// Reviewer lets its allow answer an approval, where policy names a reviewer.
	Reviewer bool `json:"reviewer,omitempty"`
	// Escalate sends to a person what the reviewer does not allow, instead of declining it.
	Escalate bool `json:"escalate,omitempty"`
	// Host makes the host run the guardian, even where the engine could.
	Host bool `json:"host,omitempty"`
}

// Declared is what a module's manifest says it wants.
type Declared struct {
	// Phases is when the module wants to be consulted.
	Phases []string `json:"phases,omitzero"`
	// Reads is what the module wants to see, as JSON pointers.
	Reads []string `json:"reads,omitzero"`
	// Codes are the codes of the findings that the module may make.
	Codes []string `json:"codes,omitzero"`
}

// Grants is a list of grants with scope "always".
type Grants []Grant

// MarshalJSON returns the list as the engine reads it.
func (g Grants) MarshalJSON() ([]byte, error) { return nouns.AppendList(nil, g), nil }

// UnmarshalJSON reads the list as the engine does: one grant that cannot be read refuses all of them.
func (g *Grants) UnmarshalJSON(doc []byte) error {
	list, problems := engine.ReadGrants(append(append([]byte(`{"version":1,"grants":`), doc...), '}'))
	if len(problems) > 0 {
		return problemsError("elicit: grants cannot be read", problems)
	}
	*g = append(Grants{}, list...)
	return nil
}

// ReadConfig reads the JSON of a configuration, such as a file that a person wrote. The error names every problem. The
// JSON may have a policy as a document, or its text under the policy's name with _text. As for the engine, a policy
// with problems is no error here: it fails closed, and Check names the problems.
func ReadConfig(doc []byte) (c Config, err error) {
	if problems, _ := engine.CheckConfig(doc); len(problems) > 0 {
		return c, problemsError("elicit: the configuration cannot be used", problems)
	}
	// The engine has refused unknown members. Reading checks that Config has the same ones.
	if err = unmarshalKnown(doc, &c); err != nil {
		return Config{}, fmt.Errorf("elicit: %w", err)
	}
	return c, nil
}

// UnmarshalJSON reads a configuration and refuses members that Config does not have.
func (c *Config) UnmarshalJSON(doc []byte) error {
	type plain Config
	return unmarshalKnown(doc, (*plain)(c))
}

// unmarshalKnown is json.Unmarshal that refuses unknown members.
func unmarshalKnown(doc []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

// Check names every problem in a configuration, also in its policies. It returns nil if there is none.
func (c Config) Check() error {
	doc, err := json.Marshal(c)
	if err != nil {
		return err
	}
	problems, inPolicies := engine.CheckConfig(doc)
	if problems = append(problems, inPolicies...); len(problems) > 0 {
		return problemsError("elicit: the configuration has problems", problems)
	}
	return nil
}

// UnmarshalJSON reads each layer as a document or, under its name with _text, as that document's text.
func (p *Policies) UnmarshalJSON(doc []byte) error {
	var layers struct {
		Managed, User, Project, Session json.RawMessage

		ManagedText Text   `json:"managed_text"`
		ManagedPath string `json:"managed_path"`
		UserText    Text   `json:"user_text"`
		ProjectText Text   `json:"project_text"`
		SessionText Text   `json:"session_text"`
	}
	if err := unmarshalKnown(doc, &layers); err != nil {
		return err
	}
	p.ManagedPath = layers.ManagedPath
	for _, layer := range []struct {
		to       *Text
		document json.RawMessage
		text     Text
	}{{&p.Managed, layers.Managed, layers.ManagedText}, {&p.User, layers.User, layers.UserText},
		{&p.Project, layers.Project, layers.ProjectText}, {&p.Session, layers.Session, layers.SessionText}} {
		if *layer.to = layer.text; layer.text == nil && layer.document != nil {
			*layer.to = Text(layer.document)
		}
	}
	return nil
}

func problemsError(what string, problems []Problem) error {
	err := errors.New(what)
	for _, p := range problems {
		err = fmt.Errorf("%w\n  %s: %s", err, p.Pointer, english.Problem(p))
	}
	return err
}
