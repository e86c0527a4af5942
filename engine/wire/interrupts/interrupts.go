// Package interrupts reads the interrupts of agent frameworks, and writes the answers in the framework's own spelling.
// An agent framework interrupts a run when a person must approve a tool call or give an answer.
//
//	run, problems := interrupts.Decode(interrupts.OpenAI, response)
//	for i := range run.Questions {
//		show(&run.Questions[i])
//	}
//	reply, problems := run.Append(nil, answers)
//
// The package has one file for each framework. docs/reference/protocols.md lists the shapes and the versions of the
// packages that they were read in. A shape that is not known is refused. No document approves anything by itself: a
// call is approved only by an answer that says accept.
//
// An answer is written from the document that asked. So ids, signatures and members that this package does not know
// keep their bytes.
//
// Read interrupts.go first, then reading.go and shape.go, which all frameworks use to read, and answer.go, which they
// use to write. Each framework then has its own file with one reader and one writer.
//
// Example for OpenAI. The document is the output of a response, and the answers are [{key:"a1", action:accept}]:
//
//	[{"type":"mcp_approval_request","id":"a1","server_label":"files","name":"write","arguments":"{}"}]
//	[{"type":"mcp_approval_response","approval_request_id":"a1","approve":true}]
//
// Two rules hold for all. A document either gives all its questions, or problems: nobody decides about a part of it.
// And an answer says only what the framework has a word for. needs compares it with Options before anything is written.
package interrupts

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/schema"
)

// Framework names the spelling of a document.
type Framework string

// These are the frameworks.
const (
	AGUI       Framework = "ag_ui"       // the AG-UI protocol
	LangGraph  Framework = "langgraph"   // LangGraph, and the human-in-the-loop middleware of LangChain
	AISDK      Framework = "ai_sdk"      // the AI SDK of Vercel
	OpenAI     Framework = "openai"      // the Responses API of OpenAI
	PydanticAI Framework = "pydantic_ai" // Pydantic AI
)

// spelling reads and writes the documents of one framework. read is given the root of a document that has passed the
// gate. write is given answers that fit, one for each question.
//
// A reader adds questions with decoding.add, and reports problems without stopping. A writer cannot fail.
type spelling struct {
	name  Framework
	read  func(d *decoding)
	write func(w *writing)
}

// spellings has every framework in the order of the documentation. It is a function because the tables refer to code
// that refers to them.
func spellings() []spelling {
	return []spelling{
		{AGUI, readAGUI, writeAGUI},
		{LangGraph, readLangGraph, writeLangGraph},
		{AISDK, readAISDK, writeAISDK},
		{OpenAI, readOpenAI, writeOpenAI},
		{PydanticAI, readPydantic, writePydantic},
	}
}

// Frameworks lists the frameworks in the order of the documentation.
func Frameworks() (list []Framework) {
	for _, s := range spellings() {
		list = append(list, s.name)
	}
	return list
}

// Run is what a framework asks at one stop of its run. All its questions are answered together.
//
// Decode makes it. It does not change, so Append may be called again. Questions is in the order of the document.
type Run struct {
	Questions []Question
	Others    []string // ids of waiting calls that no person answers: they run outside the agent (Pydantic AI)

	spelling spelling
	doc      []byte
	variant  variant
}

// Question is one question of a run.
//
// The exported members are for the caller. The others are what the writer needs of the document: object has the place
// for AISDK, group the interrupt for LangGraph and the kind of call for Pydantic AI.
type Question struct {
	// Key names the question in an answer. It is the framework's own id where the framework has one for each question.
	Key string

	// Request has the mode, the message, the tool and a schema that a form can draw. The caller sets the identity. The
	// schema of an approval has no fields, and its Claim is ClaimApproval.
	Request elicit.Request

	Server    string // what the framework calls the server of the tool, if it says so
	Arguments []byte // of the tool's call, as spelled: raw JSON, nil if the document does not say
	Response  []byte // the JSON Schema that the framework gave for an answer, as spelled, or nil
	Expires   string // when an answer comes too late, as spelled, or ""
	Options   Options

	id     []byte // raw text of the id
	name   []byte // raw text of the tool's name
	group  int    // questions of one group share one answer in the framework's spelling
	shape  shape
	form   *schema.Form
	object *place // what an answer is written into
	flags  flags
}

// Approval reports whether the question is about a tool's call or another plain yes or no. The answer to any other
// question is content.
func (q *Question) Approval() bool { return q.Request.Claim == elicit.ClaimApproval }

// Options is a set of answers that a question takes.
//
// An approval has MayAccept or MayEdit, and a question for content has MayRespond. An approval may have MayRespond too.
// MayCancel comes with MayDecline.
type Options uint8

// These are the options. The framework has no spelling for an answer that is not among them.
const (
	MayAccept      Options = 1 << iota // approve the call as it is
	MayEdit                            // approve the call with other arguments
	MayRespond                         // accept with content, in place of the result of the tool if there is one
	MayDecline                         // refuse
	MayCancel                          // leave without an answer, told apart from a refusal
	MayNoteDecline                     // a note may go with a refusal
	MayNoteAccept                      // a note may go with an approval
)

var optionNames = [...]string{"accept", "edit", "respond", "decline", "cancel", "decline_note", "accept_note"}

// Names lists the options in o.
func (o Options) Names() (list []string) {
	for i, name := range optionNames {
		if o&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return list
}

// OptionNames lists every option.
func OptionNames() []string { return optionNames[:] }

// variant and flags are what a spelling remembers of how a document, or one question, was written.
type (
	variant uint8
	flags   uint8
)

// These are bounds of this package; the frameworks set none. Data over a bound is a problem and is never truncated.
const (
	maxQuestions = 64        // questions of one document
	maxElements  = 10_000    // elements of a list that has questions among others
	maxID        = 1024      // bytes of an id
	maxNote      = 64 << 10  // bytes of a note
	maxPending   = 256 << 10 // bytes of the arguments of one call, while they are put together
	maxProblems  = 16        // problems reported for one document
	maxShown     = 80        // bytes of the framework's text quoted in a problem
)

// limits bounds a document. Messages of a chat bring their whole history.
var limits = jsontext.DocumentLimits()

// Lookup returns the framework of a name. It does not guess: for an unknown name ok is false.
func Lookup(name string) (f Framework, ok bool) {
	for _, s := range spellings() {
		if string(s.name) == name {
			return s.name, true
		}
	}
	return "", false
}

// Decode reads a document of a framework. Exactly one of the results is non-nil. A run without questions asks nothing.
// The run keeps doc, which must not change.
func Decode(f Framework, doc []byte) (*Run, []elicit.Problem) {
	run := &Run{doc: doc}
	for _, s := range spellings() {
		if s.name == f {
			run.spelling = s
		}
	}
	if run.spelling.read == nil {
		name := elicit.Str("framework", shown(string(f)))
		return nil, []elicit.Problem{{Code: "unknown_framework", Args: []elicit.Arg{name}}}
	}
	if fault := jsontext.Check(doc, limits); fault != nil {
		return nil, []elicit.Problem{elicit.FromFault(fault)}
	}
	d := decoding{Run: run, seen: map[string]bool{}}
	run.spelling.read(&d)
	if d.problems != nil {
		return nil, d.problems
	}
	return run, nil
}
