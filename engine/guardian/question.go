package guardian

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// MaxQuestion is the most bytes of one question. A question beyond it is never cut: a guardian would judge a part, and
// an attacker would choose which.
const MaxQuestion = 128 << 10

// Subject is everything that a guardian could be asked about. Nothing in it is copied until a question is built. The
// engine fills it for one phase. Content, Hidden and Note belong to before_send.
type Subject struct {
	Phase    Phase
	At       int64 // milliseconds since 1970
	Request  *elicit.Request
	Kind     elicit.Kind
	Form     []byte // as user interfaces receive it; nil in URL mode
	Findings []elicit.Finding
	Content  []byte   // before_send: the answer, canonical; nil for none
	Hidden   []Hidden // members of the answer that only an exact permit shows

	// Impacts and Labels must be named by a permit: see later.
	Impacts []byte   // what the request does, as JSON; nil if it is no deed, or nobody is shown them
	Labels  []string // what the session did before the request came
	Note    string   // before_send: words for whoever asked, with masks in the place of secrets
}

// Hidden is a member of an answer that has a secret, or would have one. It need not be present: whether the person
// typed a password is private too. A guardian that is not shown it sees {"$redacted":"string"} in its place, whether or
// not it was typed.
type Hidden struct{ Name, Type string }

// Question is the question to one guardian.
type Question struct {
	Text    []byte // canonical JSON
	Kept    []byte // the same without the values of hidden members; Text itself if it has none
	TooLong bool
}

// Asks builds the questions about one subject.
type Asks struct {
	subject *Subject
	request gjson.Result
	answer  gjson.Result
}

// Questions returns the Asks for s. The request is written as JSON once and filtered for each permit. The subject must
// not change while the Asks is used.
func Questions(s *Subject) *Asks {
	return &Asks{subject: s, request: gjson.ParseBytes(s.appendRequest(nil)), answer: gjson.ParseBytes(s.Content)}
}

// Question returns what the permit lets its guardian know:
//
//	{"v":1,"phase","at","request":{…},"answer"?:{…},"note"?,"settings":{…},"seed":"32 hex digits"}
//
// The question to a reviewer also has a member prompt. The order of members is fixed, and Text is canonical: the sum in
// a record covers its bytes.
func (a *Asks) Question(g *Permit, seed string) Question {
	q := Question{Text: a.append(g, seed, true)}
	q.Kept = q.Text
	// Also without a value this time. Otherwise the two texts would be one when nothing was typed, and a journal would
	// tell that.
	if a.secret(g) {
		q.Kept = a.append(g, seed, false)
	}
	q.TooLong = len(q.Text) > MaxQuestion
	return q
}

// append writes the question, with the values of secret members only if whole.
func (a *Asks) append(g *Permit, seed string, whole bool) []byte {
	o := jsontext.Begin(nil)
	o.Int("v", 1)
	o.Str("phase", string(a.subject.Phase))
	o.Int("at", a.subject.At)
	f := filter{permit: g, path: []string{"request"}}
	// A guardian that is shown nothing still gets {}, so it always finds the member.
	request, any := f.value(nil, a.request)
	if !any {
		request = []byte("{}")
	}
	o.Raw("request", request)
	var answer []byte
	if a.subject.Phase == BeforeSend {
		answer = a.appendAnswer(nil, g, whole)
		o.Raw("answer", answer)
		// The note has masks in the place of secrets for everybody, whatever the permit says.
		if g.shows([]string{"note"}) {
			o.OptStr("note", a.subject.Note)
		}
	}
	settings := g.Settings
	if settings == nil {
		settings = []byte("{}")
	}
	o.Raw("settings", settings)
	o.Str("seed", seed)
	if g.Reviewer {
		o.Name("prompt", func(dst []byte) []byte { return appendPrompt(dst, g, request, seed) })
	}
	return o.End()
}

// The order and the names are a contract with every guest (plugins/ABI.md). The id, the session and the handle of the
// question are not in it: a guest has no use for them.
func (s *Subject) appendRequest(dst []byte) []byte {
	r := s.Request
	o := jsontext.With(dst, "server", r.Server)
	o.OptStr("tool", r.Tool)
	o.Strs("mode", string(r.Mode), "kind", string(s.Kind), "message", r.Message)
	o.OptStrs("url", r.URL, "claim", string(r.Claim))
	r.AppendDeed(&o)
	o.OptRaw("arguments", r.Arguments)
	if r.Annotations != (elicit.Annotations{}) {
		o.Name("annotations", r.Annotations.AppendJSON)
	}
	o.OptRaw("form", s.Form)
	jsontext.OptList(&o, "findings", s.Findings)
	// It says that the list of findings is complete. A guest that does not see it cannot read an empty list as "nothing
	// found".
	o.Bool("inspected", true)
	o.OptRaw("impacts", s.Impacts)
	jsontext.OptStrings(&o, "labels", s.Labels)
	if r.HeldCall {
		o.Name("held_call", func(dst []byte) []byte {
			h := jsontext.Begin(dst)
			h.OptStrs("description", r.Description, "definition", r.Definition)
			return h.End()
		})
	}
	return o.End()
}

// appendAnswer appends the visible part of the answer: first members that are not hidden, in the order of the form,
// then the hidden ones. A replay has lost the values of hidden members, and must write the same text. Names are
// compared decoded. A hidden member is left out of the first loop, whatever the permit shows.
func (a *Asks) appendAnswer(dst []byte, g *Permit, whole bool) []byte {
	o := jsontext.Begin(dst)
	f := filter{permit: g, path: []string{"answer", ""}}
	a.answer.ForEach(func(k, v gjson.Result) bool {
		name := k.String()
		if a.subject.hidden(name) {
			return true
		}
		f.path = append(f.path[:1], name)
		if value, any := f.value(nil, v); any {
			o.Raw(name, value)
		}
		return true
	})
	for _, h := range a.subject.Hidden {
		path := []string{"answer", h.Name}
		value := a.answer.Get(gjson.Escape(h.Name))
		switch {
		case whole && g.exact(path) && value.Exists():
			o.Raw(h.Name, []byte(value.Raw))
		case g.shows(path):
			o.Name(h.Name, func(dst []byte) []byte {
				return jsontext.Whole(dst, "$redacted", h.Type)
			})
		}
	}
	return o.End()
}

func (s *Subject) hidden(name string) bool {
	for i := range s.Hidden {
		if s.Hidden[i].Name == name {
			return true
		}
	}
	return false
}

// secret reports whether the permit names a hidden member exactly, whether or not it was typed this time.
func (a *Asks) secret(g *Permit) bool {
	if a.subject.Phase != BeforeSend {
		return false
	}
	for _, h := range a.subject.Hidden {
		if g.exact([]string{"answer", h.Name}) {
			return true
		}
	}
	return false
}

// shows reports whether the value at path was both declared and permitted. A guardian must name the later members
// itself: a journal holds digests of questions, and those of journals from before these members must stay the same. It
// is shown /request/inspected only with all findings, or it could not tell "no findings" from findings that it may not
// see. Example: with declared ["/request"] and permitted ["/request/message"], the path request/message/0 is shown, and
// request/url is not.
func (g *Permit) shows(path []string) bool {
	if len(path) > 1 && path[0] == "request" && slices.Contains(later[:], path[1]) &&
		!(g.Declared.Reads.names(path[1]) && (path[1] != "inspected" || g.shows([]string{"request", "findings"}))) {
		return false
	}
	return g.Declared.Reads.Covers(path) && g.Reads.Covers(path)
}

// later are the members of a request that a declaration of all of /request does not cover.
var later = [...]string{"inspected", "impacts", "labels", "held_call"}

// ShowsImpacts reports whether one of the permits may show what a request does.
func ShowsImpacts(permits []Permit) bool {
	return slices.ContainsFunc(permits, func(g Permit) bool { return g.Declared.Reads.names("impacts") })
}

// exact reports whether path itself was permitted, letter for letter, and was declared in any way.
func (g *Permit) exact(path []string) bool {
	return g.Declared.Reads.Covers(path) && g.Reads.Exact(path)
}

// filter keeps the part of a document that a permit shows.
type filter struct {
	permit *Permit
	path   []string
}

// value appends the visible part of v, and reports whether there is any. In an array, hidden members become null if
// others are visible, so that pointers stay valid.
func (f *filter) value(dst []byte, v gjson.Result) ([]byte, bool) {
	// With a permit for all of /request the members are still looked at one by one, because of the later ones.
	whole := len(f.path) == 1 && v.IsObject() // a part of it may need a permit of its own
	if !whole && f.permit.shows(f.path) {
		return append(dst, v.Raw...), true
	}
	start := len(dst)
	if !v.IsObject() && !v.IsArray() {
		return dst, false
	}
	// Objects lose hidden members; arrays keep the places. {"fields":[null,{"name":"b"}]}: the pointer /fields/1 is b
	// in the filtered question too.
	any, n := false, 0
	depth := len(f.path)
	open, shut := byte('{'), byte('}')
	if v.IsArray() {
		open, shut = '[', ']'
	}
	dst = append(dst, open)
	v.ForEach(func(k, inner gjson.Result) bool {
		before := len(dst)
		dst = jsontext.Comma(dst)
		if open == '{' {
			f.path = append(f.path[:depth], k.String())
			dst = append(append(dst, k.Raw...), ':')
		} else {
			f.path = append(f.path[:depth], strconv.Itoa(n))
		}
		n++
		var shown bool
		if dst, shown = f.value(dst, inner); shown {
			any = true
		} else if dst = dst[:before]; open == '[' {
			dst = append(jsontext.Comma(dst), "null"...)
		}
		return true
	})
	if !any {
		return dst[:start], false
	}
	return append(dst, shut), true
}

// Seed returns random text for a guardian. It differs from question to question and is the same on replay. It is 128
// bits. Nobody who wrote evidence has seen it, and it follows from the input's random bytes, so a replay asks in the
// same words.
func Seed(random [32]byte, round int, guardian string) string {
	sum := digest.Sum256(append(random[:], strconv.Itoa(round)+":"+guardian...))
	return digest.Hex(sum[:16])
}
