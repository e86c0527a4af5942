// Package schema publishes what guardians and their hosts say to each other: JSON Schemas of question, verdict,
// manifest and permits, and the same as Go types for programs that write or read them. The engine itself reads all of
// them by its own strict readers; tests hold the two together.
package schema

import (
	"embed"
	"encoding/json"
)

// Files are question.schema.json, verdict.schema.json, manifest.schema.json and permits.schema.json.
//
//go:embed *.schema.json
var Files embed.FS

// Question is what a guardian is asked. Members that it did not declare, or was not permitted, are zero.
type Question struct {
	V        int                        `json:"v"`
	Phase    string                     `json:"phase"` // before_show or before_send
	At       int64                      `json:"at"`    // milliseconds since 1970
	Request  Request                    `json:"request"`
	Answer   map[string]json.RawMessage `json:"answer,omitempty"` // before_send; a secret is {"$redacted": its type}
	Note     string                     `json:"note,omitempty"`   // before_send; words of the person for whoever asked
	Settings json.RawMessage            `json:"settings"`
	Seed     string                     `json:"seed"`             // hexadecimal digits
	Prompt   json.RawMessage            `json:"prompt,omitempty"` // a reviewer's
}

// Request is what the server asks.
type Request struct {
	Server      string          `json:"server,omitempty"`
	Tool        string          `json:"tool,omitempty"`
	Mode        string          `json:"mode,omitempty"`
	Kind        string          `json:"kind,omitempty"`
	Message     string          `json:"message,omitempty"`
	URL         string          `json:"url,omitempty"`
	Claim       string          `json:"claim,omitempty"`
	Does        string          `json:"does,omitempty"`
	Command     string          `json:"command,omitempty"`
	Cwd         string          `json:"cwd,omitempty"`
	Paths       []string        `json:"paths,omitempty"`
	Hosts       []string        `json:"hosts,omitempty"`
	ReachCut    bool            `json:"reach_cut,omitempty"`
	Outside     *bool           `json:"outside,omitempty"` // nil when the agent does not say
	Annotations map[string]bool `json:"annotations,omitempty"`
	Form        *Form           `json:"form,omitempty"`
	Findings    []*Inspected    `json:"findings,omitempty"` // nil where nothing of one is shown
	Inspected   bool            `json:"inspected,omitempty"`
	Arguments   json.RawMessage `json:"arguments,omitempty"`
	Impacts     []*Impact       `json:"impacts,omitempty"` // nil where nothing of one is shown
	Labels      []string        `json:"labels,omitempty"`
	HeldCall    *HeldCall       `json:"held_call,omitempty"` // nil when no call waits
}

// Impact is one thing that an approval would do.
type Impact struct {
	Impact  string `json:"impact,omitempty"`
	Target  string `json:"target,omitempty"`
	How     string `json:"how,omitempty"`
	Program string `json:"program,omitempty"`
	Open    bool   `json:"open,omitempty"`
	At      int    `json:"at,omitempty"`
	End     int    `json:"end,omitempty"`
}

// HeldCall is what the server says of the tool whose call waits.
type HeldCall struct {
	Description string `json:"description,omitempty"`
	Definition  string `json:"definition,omitempty"`
}

// Form is a form as user interfaces receive it.
type Form struct {
	Title  string            `json:"title,omitempty"`
	Help   string            `json:"help,omitempty"`
	Fields []*Field          `json:"fields"` // nil where nothing of one is shown
	Notes  []json.RawMessage `json:"notes,omitempty"`
}

// Field is one thing to fill in.
type Field struct {
	Name        string                     `json:"name,omitempty"`
	Label       string                     `json:"label,omitempty"`
	Help        string                     `json:"help,omitempty"`
	Kind        string                     `json:"kind,omitempty"`
	Widget      string                     `json:"widget,omitempty"`
	Required    bool                       `json:"required,omitempty"`
	Sensitive   bool                       `json:"sensitive,omitempty"`
	Choices     []*Choice                  `json:"choices,omitempty"`
	Constraints map[string]json.RawMessage `json:"constraints,omitempty"`
	Initial     json.RawMessage            `json:"initial,omitempty"`
	Provenance  string                     `json:"provenance,omitempty"`
}

// Choice is one value that a field may have.
type Choice struct {
	Value       json.RawMessage `json:"value,omitempty"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
}

// Inspected is a finding of the built-in inspection.
type Inspected struct {
	Code     string          `json:"code,omitempty"`
	Severity string          `json:"severity,omitempty"`
	Pointer  string          `json:"pointer,omitempty"`
	Start    int             `json:"start,omitempty"`
	End      int             `json:"end,omitempty"`
	Evidence string          `json:"evidence,omitempty"`
	Args     json.RawMessage `json:"args,omitempty"`
}

// Verdict is what a guardian says.
type Verdict struct {
	V           int          `json:"v"`
	Decision    string       `json:"decision"`
	Findings    []Finding    `json:"findings,omitempty"`
	Obligations []Obligation `json:"obligations,omitempty"`
}

// Finding is a guardian's own remark.
type Finding struct {
	Code     string `json:"code"`
	Pointer  string `json:"pointer,omitempty"`
	Message  string `json:"message"`
	Severity string `json:"severity,omitempty"`
}

// Obligation is what must happen to an answer: redact with a pointer, or second_person.
type Obligation struct {
	Do      string `json:"do"`
	Pointer string `json:"pointer,omitempty"`
}

// Manifest is what a guest says of itself.
type Manifest struct {
	Name     string          `json:"name"`
	Version  string          `json:"version"`
	Summary  string          `json:"summary,omitempty"`
	Phases   []string        `json:"phases"`
	Reads    []string        `json:"reads"`
	Codes    []string        `json:"codes,omitempty"`
	Data     string          `json:"data,omitempty"` // what it expects of its data document
	Settings json.RawMessage `json:"settings,omitempty"`
	License  string          `json:"license,omitempty"`
	Source   string          `json:"source,omitempty"`
}

// Permit is what an operator lets one guardian do. Module, Data and Command are for files that --guardian takes.
type Permit struct {
	Name       string          `json:"name,omitempty"`
	Module     string          `json:"module,omitempty"`
	Command    []string        `json:"command,omitempty"`
	Digest     string          `json:"digest,omitempty"`
	Declared   *Declared       `json:"declared,omitempty"`
	Reads      []string        `json:"reads,omitempty"`
	Phases     []string        `json:"phases,omitempty"`
	Settings   json.RawMessage `json:"settings,omitempty"`
	Data       string          `json:"data,omitempty"` // path of its data document
	DataDigest string          `json:"data_digest,omitempty"`
	Audit      bool            `json:"audit,omitempty"`
	Fuel       int64           `json:"fuel,omitempty"`
	WASI       bool            `json:"wasi,omitempty"`
	DeadlineMS int64           `json:"deadline_ms,omitempty"`
	Reviewer   bool            `json:"reviewer,omitempty"`
	Escalate   bool            `json:"escalate,omitempty"`
	Host       bool            `json:"host,omitempty"`
}

// Declared is what a module's manifest says it wants.
type Declared struct {
	Phases []string `json:"phases"`
	Reads  []string `json:"reads"`
	Codes  []string `json:"codes,omitempty"`
}
