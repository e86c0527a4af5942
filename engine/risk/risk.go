// Package risk inspects a request before a person sees it, and names what the person or a policy should know: a form
// asks for a secret, a URL is not what it looks like, a text hides something.
//
// Each check has one file and one code. Checks report findings; policy and the person decide. Docs returns the table of
// checks, which is printed in docs/reference/flagged.md. All input is hostile: the work is linear in its length, and
// the number of findings is bounded.
//
// # What comes in, and what goes out
//
// A Subject has the texts of one request: a message, a form, a URL, a command, paths. Inspect returns elicit.Finding
// values. A finding has a code, a severity, a JSON pointer to the text, a span of its bytes, evidence that is safe to
// draw, and the arguments of its sentence. It never says what to do: policy declines from a severity on, and a host
// shows the rest.
//
//	message   Your PIN?
//	field     name "pin", a text field
//	finding   secret_in_form, high, /requestedSchema/properties/pin, evidence "pin"
//
// InspectAnswer goes the other way: it looks at what a person has typed, before it is sent. WithoutSecrets does so for
// a single text and takes the secrets out.
//
// # Reading order
//
// risk.go runs the checks, docs.go lists them, and evidence.go makes the evidence. Each other file is a check, named by
// its code, or a piece that several checks share:
//
//   - shell.go and command.go have a command line as the checks look at it; flow.go follows data through a line.
//   - address.go takes a URL apart as a browser does, and url.go as a strict reader does. confusable.go and script.go
//     compare letters.
//   - shape.go finds secrets by their form, with shape_number.go, shape_token.go and shape_password.go. Package
//     internal/secret finds texts that ask for a secret.
//   - wording.go finds phrases, which laid_out.go holds as a table.
//
// # Invariants
//
// A check reads each byte a bounded number of times. A look ahead from a byte is bounded by a constant with a name,
// such as maxTag, so a text of nothing but "<" takes linear time. A finding never holds a secret: it quotes the ends of
// one at most. A check of texts gets every text that a person reads, also the label of a choice and a default.
package risk

import (
	"cmp"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// MaxFindings is the most findings that one request can have. The most severe ones are kept. A host shows a few of
// them, and a journal keeps all.
const MaxFindings = 32

// Subject is a request as the checks see it. Strings should be valid UTF-8; other bytes are shown as U+FFFD. Inspect
// keeps no part of it. Empty members are members that the request does not have: a form in URL mode is ignored, and a
// URL in form mode is inspected, because a host with a fault may show it.
type Subject struct {
	Server  string // the host's name for the peer
	Mode    elicit.Mode
	Message string
	URL     string // URL mode
	// Description is what the server says of the tool of a held call.
	Description string
	Does        elicit.Deed
	// Subject.Command and Impacts describe the same line. Impacts nil costs one more reading of it.
	Command   string         // the command that an approval would run; Message usually shows it too
	Impacts   *impact.Report // what Command does; nil reads it
	Paths     []string       // what an approval would change or open
	Outside   elicit.Said
	FormTitle string // of the form itself, above its fields
	FormHelp  string
	Fields    []Field
	Form      *Form // the result of InspectForm, if the host has it; nil inspects the three members above

	// KnownHosts are the hosts that a person agreed to visit before, as URL.Host spells them. The cost of a check
	// grows with their number.
	KnownHosts []string

	KnownServers []string // the names of servers that the host has known for longer than this one
}

// Field is what a form shows of one field.
type Field struct {
	Name        string
	Title       string
	Description string
	Default     string // the text that is filled in already; "" for a default that is no text
	// A host that shows the form under other names sets it, so that a finding points into its own document.
	Pointer string // its JSON pointer in the request; "" means /requestedSchema/properties/NAME
	Closed  bool   // a boolean or a choice: a person can type nothing, so no secret can be given away
	Choices []Choice
}

// Choice is a label that a person can pick. A label can hold a link or a command as any other text can, so it is
// inspected like one.
type Choice struct {
	Label   string
	Pointer string // the JSON pointer of the label in the request; "" means the field's
}

// Inspect runs every check. It returns the findings, worst first, then by pointer and position; nil when there are
// none. The caller must not change the list, because every Subject with the same Form may share it. The order of the
// calls matters in three places. Commands come before texts, so that a message that only shows the command gets no
// second finding (destroys). The form comes before the message, because the message may complete what a field leaves
// open. Claims come last, because they need the server's name.
func Inspect(s *Subject) []elicit.Finding {
	form := s.Form
	if form == nil {
		form = inspectForm(s.FormTitle, s.FormHelp, s.Fields, s.Mode != elicit.URL)
	}
	h := hits{list: form.list, shared: true}
	for _, c := range requestChecks {
		h.doc = &c.Doc
		c.request(&h, s)
	}
	if s.Command != "" {
		h.command(s.Command, s.Impacts, s.KnownHosts)
	}
	// A message can only ask for a secret if there is a field to type it into.
	if form.asked.open {
		h.doc = &secretInForm.Doc
		findSecretAbove(&h, s.Message, &form.asked)
	}
	h.text(place{root: "/message"}, s.Message)
	h.text(place{root: "/description"}, s.Description)
	// URL mode without a URL is inspected too, and found unparsable.
	if s.Mode == elicit.URL || s.URL != "" {
		h.url(s)
	}
	h.believe(form.claims, s.Server)
	h.believe(h.claims, s.Server)
	return h.list
}

// Form holds the findings about the texts of a form, which do not depend on the server or the message. It is immutable
// and safe to share. claims are findings that depend on the server: "message from GitHub" is false unless the server is
// GitHub's. asked is what the open fields ask for, for a message that is not known yet.
type Form struct {
	list   []elicit.Finding
	claims []claim
	asked  asked
}

// InspectForm makes the findings that depend on the form alone, for hosts that see the same form again.
func InspectForm(title, help string, fields []Field) *Form {
	return inspectForm(title, help, fields, true)
}

// inspectForm is InspectForm. Without ask, as in URL mode, no field can be typed into, so no secret is looked for.
func inspectForm(title, help string, fields []Field, ask bool) *Form {
	f := &Form{}
	var h hits
	if ask {
		h.doc = &secretInForm.Doc
		f.asked = findSecrets(&h, fields)
	}
	for _, above := range [...]struct{ root, text string }{
		{"/requestedSchema/title", title}, {"/requestedSchema/description", help},
	} {
		if f.asked.open && above.text != "" {
			h.doc = &secretInForm.Doc
			secretAbove(&h, above.root, above.text, &f.asked)
		}
		h.text(place{root: above.root}, above.text)
	}
	h.fields(fields)
	f.list, f.claims = slices.Clip(h.list), h.claims
	return f
}

// hits collects the findings of the check that is running. One value serves one call. doc and at say which check runs
// over which text; links and words hold one walk each, which several checks of that text share.
type hits struct {
	doc     *Doc
	at      place
	list    []elicit.Finding
	shared  bool // list belongs to a Form and must be copied before a change
	claims  []claim
	classes classes  // of the bytes of the text under inspection
	links   linkWalk // of the text under inspection
	words   wordWalk // of the text under inspection
	// fatal and word belong to the URL that is inspected, and destroys to the command of the request.
	fatal bool    // the URL has a critical finding
	word  *inWord // the URL stands in this word of a command

	destroys bool // the command has a finding for what it destroys, so the message that shows it needs none
}

// place names the string that is inspected. Its pointer is built only when a check finds something.
type place struct {
	root  string // the pointer of a text that belongs to no field: "/message", "/url", or that of a choice
	field *Field
	part  string // "", "title", "description" or "default"
	label bool   // the text is the label of a choice, and the part is ""
}

// Only findings need it, and most texts have none. Making it for each text would cost more than the checks.
func (p place) pointer() string {
	if p.field == nil {
		return p.root
	}
	ptr := []byte(p.field.Pointer)
	// Names of fields are the server's, so they are escaped as RFC 6901 asks.
	if len(ptr) == 0 {
		ptr = jsontext.AppendToken([]byte("/requestedSchema/properties"), p.field.Name)
	}
	if p.part != "" {
		ptr = append(append(ptr, '/'), p.part...)
	}
	return string(ptr)
}

// fields inspects every text that a form shows.
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
				at = place{field: f, label: true}
			}
			h.text(at, c.Label)
		}
	}
}

// text runs the checks of texts over one text. It skips the checks that its bytes give no reason for. Most texts are
// plain letters: classesOf reads them once, and only the checks without a need run.
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

// command runs the checks of commands, and those of URLs for the addresses in it.
func (h *hits) command(text string, read *impact.Report, known []string) {
	line := readShellLine(text, read)
	h.at = place{root: "/command"}
	for _, c := range commandChecks {
		h.doc = &c.Doc
		c.command(h, line)
	}
	// A message "Run rm -rf build?" repeats the command, and the finding about the command says it already.
	h.destroys = h.has(commandDestructive.Code, elicit.Medium)
	for i := 0; impact.HasReader && i < len(line.report.Addresses); i++ {
		h.addressed(line, &line.report.Addresses[i], known)
	}
}

// has reports whether there is a finding of a severity or more.
func (h *hits) has(code string, least elicit.Severity) bool {
	return slices.ContainsFunc(h.list, func(f elicit.Finding) bool {
		return f.Code == code && f.Severity.Rank() >= least.Rank()
	})
}

// Dangerous reports whether a finding says that a command, an address in it or a patch is dangerous: one of severity
// high or more. A finding about an address counts if the address stands in the command. A message with a bad link does
// not make the deed dangerous.
func Dangerous(findings []elicit.Finding) bool {
	return slices.ContainsFunc(findings, func(f elicit.Finding) bool {
		return f.Severity.Rank() >= elicit.High.Rank() && (strings.HasPrefix(f.Code, "command_") ||
			strings.HasPrefix(f.Code, "patch_") || f.Pointer == "/command")
	})
}

func (h *hits) url(s *Subject) {
	h.at = place{root: "/url"}
	a := dissect(s.URL)
	a.known = s.KnownHosts
	h.address(&a)
}

func (h *hits) address(a *address) {
	h.fatal = false
	for _, c := range urlChecks {
		h.doc = &c.Doc
		c.url(h, a)
	}
}

// add reports the bytes [start, end) of text under the code and severity of the running check.
func (h *hits) add(text string, start, end int, args ...elicit.Arg) {
	h.addAs(h.doc.Severity, text, start, end, args...)
}

// addAs is add for a check whose severity depends on the text.
func (h *hits) addAs(s elicit.Severity, text string, start, end int, args ...elicit.Arg) {
	h.report(s, start, end, text[start:end], args)
}

// addShown is add for a check that quotes something other than the bytes it points at.
func (h *hits) addShown(start, end int, shown string, args ...elicit.Arg) {
	h.report(h.doc.Severity, start, end, shown, args)
}

// report makes the finding. start and end are bytes of the text at h.at, or of the URL in a word of the command.
func (h *hits) report(s elicit.Severity, start, end int, shown string, args []elicit.Arg) {
	if h.word != nil {
		start, end = h.word.place(start, end)
	}
	h.insert(elicit.Finding{Code: h.doc.Code, Severity: s, Pointer: h.at.pointer(), Start: start, End: end,
		Evidence: evidence(shown), Args: args})
	h.fatal = h.fatal || s == elicit.Critical
}

// insert keeps the list sorted and bounded, so that many small findings cannot push out a severe one. A hostile request
// has thousands of small findings. The 33rd pushes out the mildest one, and never a severe one. Equal findings keep a
// fixed order (inOrder), so the same request gives the same bytes.
func (h *hits) insert(f elicit.Finding) {
	i, _ := slices.BinarySearchFunc(h.list, f, inOrder)
	// Every one of the findings that are kept is worse, or equal and earlier.
	if i == MaxFindings {
		return
	}
	if h.shared {
		h.list, h.shared = append(make([]elicit.Finding, 0, min(len(h.list)+4, MaxFindings+1)), h.list...), false
	}
	h.list = append(h.list[:i], append([]elicit.Finding{f}, h.list[i:]...)...)
	h.list = h.list[:min(len(h.list), MaxFindings)]
}

// inOrder compares two findings: the worse one first, then by pointer, place and code.
func inOrder(a, b elicit.Finding) int {
	return cmp.Or(cmp.Compare(b.Severity.Rank(), a.Severity.Rank()), strings.Compare(a.Pointer, b.Pointer),
		cmp.Compare(a.Start, b.Start), strings.Compare(a.Code, b.Code))
}
