package policy

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
)

// Facts is what a policy may know about a request. Strings are the peer's words and may be hostile. Decide reads them
// and keeps none. The zero value of a fact is its safest reading: an empty Command is one that is not known, Unsaid is
// no promise, and false for Fillable or RootThread takes a permission away. Hosts that do not know a fact leave it out.
//
// Server, Labels, Hasty, At, Granted, AutoReviewAllowed, HostShowsForms and RootThread are the word of the host.
// Dangerous comes from the inspection. All else is the word of the peer.
type Facts struct {
	Server string // the name the host gave the server
	Tool   string // the tool whose call provoked the request, when known
	Side   elicit.Side
	Mode   elicit.Mode
	Kind   elicit.Kind
	// A claim is what the request says about itself, such as the approval tag of Codex. With fields or a URL it is
	// malformed.
	Claim elicit.Claim
	// Message is the text that the person sees, and a rule compares it as a whole. MessageCut says that a pattern may
	// match in a part that is missing.
	Message string
	Fields  []FieldFact

	Annotations elicit.Annotations // what the server says about Tool

	// Candidates are the calls that the request may belong to, if the host cannot tell which. CandidatesCut says that
	// there may be others. Decide then returns the strictest decision of all of them. It looks at no more than
	// elicit.MaxCandidates; with more, CandidatesCut is implied.
	Candidates    []elicit.Candidate
	CandidatesCut bool

	MessageCut bool // the message leaves out a part that is too long

	// Does, Command, Cwd, Paths, Hosts, Outside and Impacts describe one deed. They are empty for a question that is
	// none.
	Does elicit.Deed // what an approval would do; see deed

	Command string // the command that an approval would run, as a shell reads it; "" when it is about no command
	Cwd     string // the directory of the command; "" when it is not known

	// CommandCandidate is what may be the command, if Command is "". Only rules that tighten look at it.
	CommandCandidate string

	// Paths and Hosts are what the deed would touch. ReachCut says that there are more. For a command they are the peer's
	// word and not complete. Outside says whether a path lies outside the places that the peer may write to, or whether
	// the command would leave the sandbox.
	Paths, Hosts []string
	ReachCut     bool
	Outside      elicit.Said

	// Impacts are what the deed does, as far as it is told. They follow from the facts above: a host that has not made
	// them leaves them nil.
	Impacts *impact.Report

	Dangerous bool // the inspection found something of severity high or more in the command or the patch

	Labels []string // what the session did before, as ReadSecret and the like say

	Hasty bool // the person has just accepted HastyAnswers questions in a row, each in less than HastyWithin

	Host   string // URL mode: host without port, in the spelling risk.ParseURL gives
	Scheme string // URL mode

	At      int64  // milliseconds since 1970, for quiet hours; 0 means unknown, and then no hour is quiet
	Granted string // the grant by which the person agreed to this very question before, "" without one

	// Fillable comes from the compiled schema, and not from the peer.
	Fillable bool // every required field has a default, so accepting needs no data from a person

	StrictReview      bool // the peer asks for a reviewer whatever the policy says
	Persistable       bool // the peer offers to remember the answer; StrictReview is then ignored
	AutoReviewAllowed bool // the host has a reviewer, and requests may choose it
	HostShowsForms    bool // the host shows standard forms even in approval policy never
	RootThread        bool // the session belongs to a person, not to a sub-agent
}

// FieldFact is what a policy may know about one field of a form.
type FieldFact struct {
	Name      string
	Sensitive bool
}

// url reports whether any part of the request says that it is a URL request. An inconsistent request counts as the kind
// that is never accepted without a person. For example, mode "form" with kind "url" comes from a host with a fault. It
// must not be accepted as a form.
func (f *Facts) url() bool { return f.Mode == elicit.URL || f.Kind == elicit.KindURL }

// empty reports whether the person can type nothing: a confirmation or a tool approval.
func (f *Facts) empty() bool {
	return !f.url() && len(f.Fields) == 0 && (f.Kind == elicit.KindConfirm || f.Kind == elicit.KindApproval)
}

// dataless reports whether accepting needs no data from a person. A form whose required fields have defaults counts
// too: accept then sends the defaults, which the server itself chose.
func (f *Facts) dataless() bool {
	return f.empty() || f.Kind == elicit.KindForm && f.Fillable && !f.url()
}

// deed is what an approval would do. Facts of a command need not say that they are.
func (f *Facts) deed() elicit.Deed {
	if f.Does == elicit.DeedNone && f.Command != "" {
		return elicit.DeedCommand
	}
	return f.Does
}

func (f *Facts) sensitive() bool {
	for i := range f.Fields {
		if f.Fields[i].Sensitive {
			return true
		}
	}
	return false
}

// row returns the request's row in the approval policy table. The cases stand from the most to the least suspicious
// one. A suggestion wins over everything, because no server may make one. A mode or deed that this engine does not know
// comes next: a later version may have given it any meaning.
func (f *Facts) row() row {
	switch {
	case f.Claim == elicit.ClaimSuggestion || f.Kind == elicit.KindSuggestion:
		return rowSuggestion
	// An unknown mode may carry anything, such as a page that opens by itself.
	case f.Mode != "" && !f.Mode.Valid() || !f.Does.Valid():
		return rowUnknown
	// A deed that comes with a form or a page is judged as that form or page: its answer needs data, so it is no plain
	// yes.
	case f.deed() != elicit.DeedNone && f.empty() && (f.Claim == elicit.ClaimNone || f.Claim == elicit.ClaimApproval):
		return f.deedRow()
	case f.Claim == elicit.ClaimNone:
		return f.plainRow()
	case f.Claim == elicit.ClaimApproval && f.empty():
		return rowApproval
	case f.empty():
		return rowMalformedEmpty
	}
	return rowMalformed // an approval with fields or a URL, or a claim that this engine does not know
}

// A danger counts before the place: a dangerous command outside of the sandbox is a dangerous one.
func (f *Facts) deedRow() row {
	switch deed := f.deed(); {
	case deed == elicit.DeedPermissions:
		return rowPermissions
	case deed == elicit.DeedTool:
		return rowTool
	case f.Dangerous:
		return rowDangerous
	case deed == elicit.DeedPatch:
		return rowPatch
	case f.Outside == elicit.SaidYes:
		return rowUnboxed
	}
	return rowCommand
}

// plainRow is the row of a question that is no deed and makes no claim: what an MCP server asks.
func (f *Facts) plainRow() row {
	switch {
	case f.url():
		return rowURL
	case f.empty():
		return rowConfirm
	case len(f.Fields) > 0 && f.HostShowsForms && f.RootThread:
		return rowShownForm
	}
	return rowForm
}
