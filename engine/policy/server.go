package policy

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// server is what a policy says of one server. Servers are named exactly; rules have patterns.
type server struct {
	place
	trusted bool // what it says of its tools is believed by this policy's own rules and approvals
	tools   map[string]place
}

// place is what a policy says of a server or of one of its tools.
type place struct {
	mode      mode
	modeArgs  []elicit.Arg
	approvals approvals
}

// approvals is which tool approvals a policy gives by itself (Codex: approval_mode). What it does not give is for a
// person or a reviewer.
type approvals uint8

const (
	approvalsUnsaid approvals = iota
	approvalsApprove
	approvalsAuto   // those of tools that destroy nothing and either only read or stay in their own world
	approvalsWrites // those of tools that only read
	approvalsPrompt // none
)

var approvalWords = []string{"approve", "auto", "writes", "prompt"}

func (a approvals) String() string { return approvalWords[max(a, 1)-1] }

// gives reports whether a tool with these traits needs nobody's yes (Codex 0.169, MCP tool approval).
func (a approvals) gives(t elicit.Traits) bool {
	switch a {
	case approvalsApprove:
		return true
	case approvalsAuto:
		return !t.Destructive && (t.ReadOnly || !t.OpenWorld)
	case approvalsWrites:
		return t.ReadOnly
	}
	return false
}

// placeOf is what the policy says of where a request comes from: its tool before its server before the file.
func (p *Policy) placeOf(f *Facts) place {
	at := place{mode: p.mode, modeArgs: p.modeArgs}
	s := p.servers[f.Server]
	if s == nil {
		return at
	}
	for _, closer := range [2]place{s.place, s.tools[f.Tool]} {
		if closer.mode != modeUnsaid {
			at.mode, at.modeArgs = closer.mode, closer.modeArgs
		}
		if closer.approvals != approvalsUnsaid {
			at.approvals = closer.approvals
		}
	}
	return at
}

// traits is what the request's tool is held to be by this policy.
func (p *Policy) traits(f *Facts) elicit.Traits {
	if s := p.servers[f.Server]; s != nil && s.trusted {
		return f.Annotations.Traits()
	}
	return elicit.Annotations{}.Traits()
}

// hearApprovals takes what the layer says of tool approvals where none of its rules matched. A strict review is asked
// for to see what would else be approved, and a tool that nobody can name is approved by nobody.
func (t *tally) hearApprovals(p *ranked, at place) (ruled bool) {
	if at.approvals == approvalsUnsaid || t.row != rowApproval {
		return false
	}
	args := []elicit.Arg{elicit.Str("approvals", at.approvals.String())}
	if at.approvals.gives(t.traits) && t.facts.Tool != "" && !t.strictReview {
		from, then := t.say(elicit.Reason{Code: codeApprovalsGive, Layer: p.layer.String(), Args: args}), Accept
		if !p.layer.mayAccept() {
			then = Ask
			t.say(elicit.Reason{Code: codeCannotAccept, Layer: p.layer.String()})
		}
		t.take(p, then, from, "", true)
		return true
	}
	then := Ask
	if !t.unknown && at.mode != modeUnsaid && p.columns(at.mode).opinion(t.row, t.strictReview).outcome == Review {
		then = Review
	}
	t.named = t.named || at.approvals != approvalsAuto // who chose to be asked every time is not answered by a grant
	t.take(p, then, t.say(elicit.Reason{Code: codeApprovalsAsk, Layer: p.layer.String(), Args: args}), "", true)
	return true
}

// MaxServers bounds the servers and tools that one policy file names.
const MaxServers = 2000

func (p *parser) servers(v gjson.Result) {
	if !v.IsObject() {
		p.wrongType(v, "object")
		p.addBroken("servers")
		return
	}
	p.policy.servers = map[string]*server{}
	p.each(v, func(name string, v gjson.Result) {
		s := &server{tools: map[string]place{}}
		before := len(p.problems)
		s.place = p.place(v, s)
		if len(p.problems) > before {
			s.distrust()
		}
		p.policy.servers[name] = s
	})
}

// each reads the entries of an object whose names are not ours. Those over the limit are not read, so everything is asked.
func (p *parser) each(v gjson.Result, read func(name string, v gjson.Result)) {
	v.ForEach(func(k, v gjson.Result) bool {
		defer p.into(k.String())()
		if p.places++; p.places > MaxServers {
			if p.places == MaxServers+1 {
				p.report("policy_too_many_servers", v, elicit.Num("limit", MaxServers))
				p.addBroken("servers")
			}
			return false
		}
		read(k.String(), v)
		return true
	})
}

// place reads an entry of servers, or of tools when s is nil. One with anything wrong in it approves nothing by itself,
// and one whose mode cannot be read, or that is nothing at all, lets nobody be asked.
func (p *parser) place(v gjson.Result, s *server) (at place) {
	before := len(p.problems)
	if !v.IsObject() {
		p.wrongType(v, "object")
		return place{mode: modeUnreadable, modeArgs: []elicit.Arg{elicit.Str("mode", "unreadable")}, approvals: approvalsPrompt}
	}
	v.ForEach(func(k, v gjson.Result) bool {
		defer p.into(k.String())()
		switch k.String() {
		case "mode":
			at.mode, at.modeArgs = p.modeOf(v)
		case "approvals":
			at.approvals = approvalsPrompt
			if word, ok := p.word(v, approvalWords...); ok {
				at.approvals = approvalsNamed(word)
			}
		default:
			if s == nil || !p.serverMember(k.String(), v, s) {
				p.unknownKey(v)
			}
		}
		return true
	})
	if len(p.problems) > before && at.approvals != approvalsUnsaid {
		at.approvals = approvalsPrompt
	}
	return at
}

// serverMember reads what servers have and tools have not.
func (p *parser) serverMember(key string, v gjson.Result, s *server) (known bool) {
	switch key {
	case "trust":
		p.boolean(v, &s.trusted)
	case "tools":
		p.tools(v, s)
	default:
		return false
	}
	return true
}

func (p *parser) tools(v gjson.Result, s *server) {
	if !v.IsObject() {
		p.wrongType(v, "object")
		p.addBroken("servers")
		return
	}
	p.each(v, func(name string, v gjson.Result) { s.tools[name] = p.place(v, nil) })
}

// distrust lets a server whose entry is wrong somewhere approve nothing by itself.
func (s *server) distrust() {
	s.trusted = false
	for name, t := range s.tools {
		if t.approvals != approvalsUnsaid {
			t.approvals = approvalsPrompt
			s.tools[name] = t
		}
	}
}

func approvalsNamed(word string) approvals {
	for i, w := range approvalWords {
		if w == word {
			return approvals(i + 1)
		}
	}
	return approvalsPrompt
}
