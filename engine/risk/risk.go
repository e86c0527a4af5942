// Package risk looks at a request before anybody is woken and names what a person or a policy should know: a secret
// asked for in a form, a URL that is not what it looks like, a text that hides something.
//
// A check is one file and one code. Checks read, they never decide: policy and the person do. The table of them is
// Docs, printed in docs/risk.md. All input is hostile: work is linear in its length and the findings are bounded.
package risk

import (
	"cmp"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// MaxFindings bounds what one request can yield; the most severe are kept.
const MaxFindings = 32

// Subject is a request as the checks see it. Strings are valid UTF-8; other bytes are shown as U+FFFD.
type Subject struct {
	Server       string // the host's name for the peer
	Mode         elicit.Mode
	Message      string
	URL          string // URL mode
	Fields       []Field
	Form         *Form    // what InspectFields found in Fields, when that is known; nil inspects them
	KnownHosts   []string // hosts a person agreed to visit before, as URL.Host spells them; the cost grows with their number
	KnownServers []string // names of servers the host has known for longer than this one
}

// Field is what a form shows of one field.
type Field struct {
	Name        string
	Title       string
	Description string
	Default     string // what is filled in already, when it is text
	Pointer     string // where it stands in the request; "" is /requestedSchema/properties/NAME
	Closed      bool   // boolean or choice: nothing can be typed, so no secret can be given away
	Choices     []Choice
}

// Choice is a label that a person picks from.
type Choice struct {
	Label   string
	Pointer string // where the label stands in the request; "" is the field's
}

// Inspect runs every check and returns what they found, worst first, then by pointer and position; nil when nothing. The
// list may be shared with others that hold the same Form.
func Inspect(s *Subject) []elicit.Finding {
	form := s.Form
	if form == nil {
		form = inspectFields(s.Fields, s.Mode != elicit.URL)
	}
	h := hits{list: form.list, shared: true}
	for _, c := range requestChecks {
		h.doc = &c.Doc
		c.request(&h, s)
	}
	if form.asked.open {
		h.doc = &secretInForm.Doc
		findSecretAbove(&h, s.Message, &form.asked)
	}
	h.text(place{root: "/message"}, s.Message)
	if s.Mode == elicit.URL || s.URL != "" {
		h.url(s)
	}
	h.believe(form.claims, s.Server)
	h.believe(h.claims, s.Server)
	return h.list
}

// Form is what inspection finds in the fields of a form, whoever shows it under whatever message. It is immutable and
// safe to share.
type Form struct {
	list   []elicit.Finding
	claims []claim
	asked  asked
}

// InspectFields inspects what follows from the fields of a form alone, for hosts that see the same form again.
func InspectFields(fields []Field) *Form { return inspectFields(fields, true) }

func inspectFields(fields []Field, ask bool) *Form {
	f := &Form{}
	var h hits
	if ask {
		h.doc = &secretInForm.Doc
		f.asked = findSecrets(&h, fields)
	}
	h.fields(fields)
	f.list, f.claims = slices.Clip(h.list), h.claims
	return f
}

// hits collects the findings of the check that runs now.
type hits struct {
	doc     *Doc
	at      place
	list    []elicit.Finding
	shared  bool // list belongs to a Form
	claims  []claim
	classes classes  // of the bytes of the text under inspection
	links   linkWalk // of the text under inspection
	words   wordWalk // of the text under inspection
	fatal   bool     // a critical finding about the URL is there
}

// place names the string under inspection. Its pointer is spelled only when something is found there.
type place struct {
	root  string // the pointer of what is no field's: "/message", "/url", or a choice's
	field *Field
	part  string // "", "title", "description" or "default"
}

func (p place) pointer() string {
	if p.field == nil {
		return p.root
	}
	ptr := []byte(p.field.Pointer)
	if len(ptr) == 0 {
		ptr = jsontext.AppendToken([]byte("/requestedSchema/properties"), p.field.Name)
	}
	if p.part != "" {
		ptr = append(append(ptr, '/'), p.part...)
	}
	return string(ptr)
}

// fields inspects everything that a form shows as text.
func (h *hits) fields(fields []Field) {
	for i := range fields {
		f := &fields[i]
		h.text(place{field: f}, f.Name)
		h.text(place{field: f, part: "title"}, f.Title)
		h.text(place{field: f, part: "description"}, f.Description)
		h.text(place{field: f, part: "default"}, f.Default)
		for _, c := range f.Choices {
			at := place{root: c.Pointer}
			if c.Pointer == "" {
				at = place{field: f}
			}
			h.text(at, c.Label)
		}
	}
}

// text runs the checks of texts over one, less those that its bytes give no reason for.
func (h *hits) text(at place, text string) {
	if text == "" {
		return
	}
	h.at, h.links.done, h.words.done = at, false, false
	h.classes = classesOf(text)
	for _, c := range textChecks {
		if c.needs == 0 || h.classes&c.needs != 0 {
			h.doc = &c.Doc
			c.text(h, text)
		}
	}
}

func (h *hits) url(s *Subject) {
	h.at = place{root: "/url"}
	a := dissect(s.URL)
	a.known = s.KnownHosts
	for _, c := range urlChecks {
		h.doc = &c.Doc
		c.url(h, &a)
	}
}

// add reports the bytes [start, end) of text under the code and severity of the running check.
func (h *hits) add(text string, start, end int, args ...elicit.Arg) {
	h.addAs(h.doc.Severity, text, start, end, args...)
}

// addAs is add for a check whose severity depends on what it sees.
func (h *hits) addAs(s elicit.Severity, text string, start, end int, args ...elicit.Arg) {
	h.report(s, start, end, text[start:end], args)
}

// addShown is add for a check that must not, or need not, quote exactly what it points at.
func (h *hits) addShown(start, end int, shown string, args ...elicit.Arg) {
	h.report(h.doc.Severity, start, end, shown, args)
}

func (h *hits) report(s elicit.Severity, start, end int, shown string, args []elicit.Arg) {
	h.insert(elicit.Finding{Code: h.doc.Code, Severity: s, Pointer: h.at.pointer(), Start: start, End: end,
		Evidence: evidence(shown), Args: args})
	h.fatal = h.fatal || (s == elicit.Critical && h.at.root == "/url")
}

// insert keeps the list sorted and short, so that a flood of small findings cannot push out a grave one.
func (h *hits) insert(f elicit.Finding) {
	i, _ := slices.BinarySearchFunc(h.list, f, inOrder)
	if i == MaxFindings {
		return
	}
	if h.shared {
		h.list, h.shared = append(make([]elicit.Finding, 0, min(len(h.list)+4, MaxFindings+1)), h.list...), false
	}
	h.list = slices.Insert(h.list, i, f)
	h.list = h.list[:min(len(h.list), MaxFindings)]
}

func inOrder(a, b elicit.Finding) int {
	return cmp.Or(cmp.Compare(b.Severity.Rank(), a.Severity.Rank()), strings.Compare(a.Pointer, b.Pointer),
		cmp.Compare(a.Start, b.Start), strings.Compare(a.Code, b.Code))
}
