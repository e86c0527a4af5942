package policy

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// server holds the settings of a policy for one server. It names servers exactly; only rules have patterns. Settings
// belong to the file that has them: trust in the user's file does not make the project's rules believe the server.
type server struct {
	place
	trusted bool // this policy's own rules and approvals believe what the server says about its tools
	tools   map[string]place
}

// place holds the settings of a policy for a server or for one of its tools.
type place struct {
	approvalPolicy approvalPolicy
	approvalArgs   []elicit.Arg
	approvals      approvals
}

// approvals says which tool approvals a policy gives by itself (Codex: approval_mode). A person or a reviewer decides
// the others.
type approvals uint8

const (
	approvalsUnsaid approvals = iota
	approvalsApprove
	// The names are those of approval_mode in the configuration of Codex.
	approvalsAuto   // tools that destroy nothing, and either only read or stay in a closed world
	approvalsWrites // tools that only read
	approvalsPrompt // none
)

var approvalWords = []string{"approve", "auto", "writes", "prompt"}

func (a approvals) String() string { return approvalWords[max(a, 1)-1] }

// gives reports whether a tool with these traits needs no approval by a person (Codex 0.169, MCP tool approval). The
// traits are those that this layer believes. Without trust, they are the defaults of MCP: not read-only, destructive,
// open to the world (MCP 2025-11-25, Tools, tool annotations). So auto and writes give nothing to an untrusted server.
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

// placeOf returns the settings for the source of a request: those of its tool before its server's before the file's.
// The three places are narrowed member by member: a tool with approvals alone keeps the approval policy of its server.
func (p *Policy) placeOf(f *Facts) place {
	at := place{approvalPolicy: p.approvalPolicy, approvalArgs: p.approvalArgs}
	if s := p.servers[f.Server]; s != nil {
		at.narrow(s.place)
		at.narrow(s.tools[f.Tool])
	}
	return at
}

// narrow replaces the settings that a closer place has.
func (at *place) narrow(closer place) {
	if closer.approvalPolicy != policyUnsaid {
		at.approvalPolicy, at.approvalArgs = closer.approvalPolicy, closer.approvalArgs
	}
	if closer.approvals != approvalsUnsaid {
		at.approvals = closer.approvals
	}
}

// traits returns the traits of the request's tool in this policy.
func (p *Policy) traits(f *Facts) elicit.Traits {
	if s := p.servers[f.Server]; s != nil && s.trusted {
		return f.Annotations.Traits()
	}
	return elicit.Annotations{}.Traits()
}

// applyApprovals applies the layer's settings for tool approvals, if none of its rules matched. A strict review wants
// to see exactly the calls that would otherwise be approved. A tool that is not known is never approved. It returns
// true whenever the setting has a say, also if that is "ask". Then the approval policy of the file adds no opinion, but
// it still may bar asking.
func (t *tally) applyApprovals(p *ranked, at place) (ruled bool) {
	if at.approvals == approvalsUnsaid || !t.row.approval() {
		return false
	}
	args := []elicit.Arg{elicit.Str("approvals", at.approvals.String())}
	// A tool without a name could be any tool of the server, also one with a setting of its own.
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
	if columns := p.columns(at.approvalPolicy, t.row); !t.unknown && at.approvalPolicy != policyUnsaid &&
		// A tool that approvals do not give goes to whom the approval policy sends such requests.
		columns.opinion(t.row, t.strictReview).outcome == Review {
		then = Review
		if columns.above.at(t.row, t.strictReview).outcome != Review {
			if t.since3 = true; !t.asFormat2 {
				then = Ask
			}
		}
	}
	t.named = t.named || at.approvals != approvalsAuto // a grant must not answer for someone who wants to be asked
	t.take(p, then, t.say(elicit.Reason{Code: codeApprovalsAsk, Layer: p.layer.String(), Args: args}), "", true)
	return true
}

// MaxServers is the most servers and tools that one policy file may name.
const MaxServers = 2000

// An entry with a problem keeps its strict parts and loses what would accept. Other entries stay as they are.
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

// each reads the entries of an object with free names. Entries over the limit are not read, so everything is asked. An
// entry that was not read may have forbidden something, so a broken rule asks about every request.
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

// place reads an entry of servers, or of tools when s is nil. An entry with any problem approves nothing by itself. If
// its approval policy cannot be read, or it is no object, it lets no one be asked.
func (p *parser) place(v gjson.Result, s *server) (at place) {
	before := len(p.problems)
	if !v.IsObject() {
		p.wrongType(v, "object")
		return place{approvalPolicy: policyUnreadable, approvals: approvalsPrompt,
			approvalArgs: []elicit.Arg{elicit.Str("approval_policy", "unreadable")}}
	}
	v.ForEach(func(k, v gjson.Result) bool {
		defer p.into(k.String())()
		switch p.renamed(k.String()) {
		case "approval_policy":
			at.approvalPolicy, at.approvalArgs = p.approvalPolicyOf(v, at.approvalPolicy)
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
	// A misspelt member may have been a stricter setting, so what would accept is taken back.
	if len(p.problems) > before && at.approvals != approvalsUnsaid {
		at.approvals = approvalsPrompt
	}
	return at
}

// serverMember reads the members of a server that tools do not have.
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

// distrust makes a server whose entry has a problem approve nothing by itself.
func (s *server) distrust() {
	s.trusted = false
	for name, t := range s.tools {
		if t.approvals != approvalsUnsaid {
			t.approvals = approvalsPrompt
			s.tools[name] = t
		}
	}
}

// approvalsNamed is the value of a word of a file: the words begin at 1. The default is never used for a word of the
// list.
func approvalsNamed(word string) approvals {
	for i, w := range approvalWords {
		if w == word {
			return approvals(i + 1)
		}
	}
	return approvalsPrompt
}
