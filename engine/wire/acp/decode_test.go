package acp

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

func unannounced(string, string) *Announced { return nil }

// FuzzPermission checks that a permission is complete or refused, that its schema and what goes on to the client are
// JSON, and that no outcome approves with an option that does not allow.
func FuzzPermission(f *testing.F) {
	for _, seed := range []string{
		`{"sessionId":"s","toolCall":{"toolCallId":"t","title":"a","kind":"edit","content":[{"type":"diff","path":"/a",` +
			`"oldText":"a\nb","newText":"a\nc"}]},` +
			`"options":[{"optionId":"y","name":"Y","kind":"allow_once"}]}`,
		`{"sessionId":"s","toolCall":{"toolCallId":"t","rawInput":[1,{"a":"\u202e"}],` +
			`"locations":[{"path":"x","line":3},4]},` +
			`"options":[{"optionId":"y","name":"","kind":"allow_always"},{"optionId":"z","name":"Z","kind":"other"}]}`,
		`{"sessionId":1,"toolCall":[],"options":{}}`,
		`{"sessionId":"s","title":"a","subject":{"type":"command","command":"ls","cwd":"/"},` +
			`"options":[{"optionId":"y","name":"Y","kind":"allow_once"}]}`,
		`{"sessionId":"s","title":"a","subject":{"type":"tool_call","toolCall":{"toolCallId":"t","kind":"move",` +
			`"content":[{"type":"diff","changes":[{"operation":"move","path":"/a","oldPath":"/b"}],` +
			`"patch":{"format":"git_patch","text":"--- /a"}}]}},` +
			`"options":[{"optionId":"y","name":"Y","kind":"allow_once"}]}`,
	} {
		f.Add([]byte(seed), []byte(`{"outcome":{"outcome":"selected","optionId":"y"}}`))
	}
	f.Fuzz(func(t *testing.T, params, result []byte) {
		if jsontext.Check(params, jsontext.Limits{}) != nil || jsontext.Check(result, jsontext.Limits{}) != nil {
			return
		}
		for _, d := range []Dialect{V1, V2} {
			checkPermission(t, d, params, result)
		}
	})
}

func checkPermission(t *testing.T, d Dialect, params, result []byte) {
	p, no := d.DecodePermission(params, unannounced)
	if no != nil {
		if len(no.Problems) == 0 {
			t.Fatal("refused without a problem")
		}
		return
	}
	q := &p.Request
	switch {
	case q.Message == "" || !utf8.ValidString(q.Message) || len(q.Message) > 64<<10:
		t.Fatalf("message of %d bytes", len(q.Message))
	case q.Mode != elicit.Form || jsontext.Check(q.Schema, jsontext.Limits{}) != nil:
		t.Fatalf("schema %s", q.Schema)
	case jsontext.Check(p.AppendParams(nil, params), jsontext.Limits{}) != nil:
		t.Fatalf("params %s", p.AppendParams(nil, params))
	}
	for _, content := range []string{`{}`, `{"option":"y"}`, `{"option":1}`, `null`} {
		if o, ok := p.Accepting([]byte(content)); ok && !o.Kind.Allows() {
			t.Fatalf("%s accepts with %v", content, o)
		}
	}
	if o, ok := p.Declining(); ok && o.Kind != RejectOnce {
		t.Fatalf("declines with %v", o)
	}
	if option, problems := p.DecodeOutcome(result); problems == nil && option.ID != "" {
		if _, offered := p.Find(option.ID); !offered {
			t.Fatalf("%v was not offered", option)
		}
	}
}

// TestChange checks which lines of a change are shown.
func TestChange(t *testing.T) {
	for _, test := range []struct{ before, after, want string }{
		{"", "a\nb", "f:1\n+ a\n+ b"},
		{"a\nb\nc", "a\nc", "f:2\n- b"},
		{"a\nb\nc", "a\nx\ny\nc", "f:2\n- b\n+ x\n+ y"},
		{"a\na", "a", "f:2\n- a"},
		{"same", "same", "f:2"},
		{"a", "", "f:1\n- a"},
		{"a\n", "a", "f:2\n- "},
	} {
		if got := change("f", test.before, test.after); got != test.want {
			t.Errorf("%q to %q: %q, want %q", test.before, test.after, got, test.want)
		}
	}
}

// TestKindsAndPlaces reads what a kind says of a tool, which places are absolute, and which changes can be shown.
func TestKindsAndPlaces(t *testing.T) {
	for kind, want := range map[string]elicit.Annotations{"think": {ReadOnly: elicit.SaidYes},
		"delete": {ReadOnly: elicit.SaidNo, Destructive: elicit.SaidYes}, "move": {ReadOnly: elicit.SaidNo},
		"fetch": {OpenWorld: elicit.SaidYes}, "other": {}} {
		if got := annotations(kind); got != want {
			t.Errorf("%s: %+v, want %+v", kind, got, want)
		}
	}
	for place, want := range map[string]bool{"/a": true, `\\a`: true, "C:/a": true, `C:\a`: true, "C:a": false,
		"C:/": true, "C:": false, "ab/": false, "a": false, "": false} {
		if got := absolute(place); got != want {
			t.Errorf("%s: absolute %v", place, got)
		}
	}
	const added = `[{"operation":"add","path":"a"}]`
	for changes, want := range map[string]string{added: "add a", `[{"path":"a"}]`: "", `[{"operation":"add"}]`: "",
		`[{"operation":"move","path":"a","oldPath":"b"}]`:    "move a from b",
		`[{"operation":"add","path":"a","fileType":"text"}]`: "add a",
		`[{"operation":"add","path":"a","fileType":"link"}]`: "add a (link)",
		`[{"operation":"add","path":"a","mode":7}]`:          "",
		added + `,"more":1`:   "",
		added + `,"_meta":{}`: "add a",
		`[]`:                  "",
		`{},"patch":{"format":"git_patch","text":"-a"}`:                    "",
		`[],"patch":{"format":"git_patch","text":"-a"}`:                    "-a",
		added + `,"patch":null`:                                            "add a",
		added + `,"patch":{"format":"git_patch","text":"-a\n","_meta":{}}`: "add a\n-a",
		added + `,"patch":{"format":"git_patch"}`:                          "",
		added + `,"patch":{"format":"other","text":"-a"}`:                  "",
		added + `,"patch":{"format":"git_patch","text":"-a","more":1}`:     "",
	} {
		o, _ := wire.ReadObject([]byte(`{"type":"diff","changes":` + changes + `}`))
		if got, ok := changeList(o); got != want || ok != (want != "") {
			t.Errorf("%s: %q", changes, got)
		}
	}
}

// TestReadScope: a question belongs to one session or one request, which is named so that it can be found.
func TestReadScope(t *testing.T) {
	long := strings.Repeat("s", 1024)
	for params, want := range map[string]string{
		`{"sessionId":"s"}`:                     `"sessionId":"s",`,
		`{"sessionId":"` + long + `"}`:          `"sessionId":"` + long + `",`,
		`{"sessionId":"` + long + `s"}`:         "text_too_large /sessionId",
		`{"sessionId":""}`:                      "empty_value /sessionId",
		`{"sessionId":7}`:                       "wrong_type /sessionId",
		`{"sessionId":"s","toolCallId":"t\"1"}`: `"sessionId":"s","toolCallId":"t\"1",`,
		`{"sessionId":"s","toolCallId":null}`:   `"sessionId":"s",`,
		`{"sessionId":"s","toolCallId":""}`:     "empty_value /toolCallId",
		`{"requestId":"a","sessionId":null}`:    `"requestId":"a",`,
		`{"requestId":0,"toolCallId":"t"}`:      `"requestId":0,`,
		`{"requestId":0,"toolCallId":7}`:        "wrong_type /toolCallId",
		`{"requestId":1.5}`:                     "envelope_id /requestId",
		`{"requestId":1,"sessionId":"s"}`:       "scope_ambiguous /requestId",
		`{"toolCallId":"t"}`:                    "missing /sessionId",
	} {
		scope, problems := ReadScope([]byte(params))
		got := string(scope.AppendMembers(nil))
		if problems != nil {
			got = problems[0].Code + " " + problems[0].Pointer
		}
		if got != want || len(problems) > 1 {
			t.Errorf("%.80s: %.80s, want %.80s", params, got, want)
		}
	}
}

func option(id, name, kind string) string {
	return `{"optionId":"` + id + `","name":"` + name + `","kind":"` + kind + `"}`
}

// offering reads a permission with these options.
func offering(options string) (Permission, *wire.Refusal) {
	return V1.DecodePermission([]byte(`{"sessionId":"s","toolCall":{"toolCallId":"t","title":"T"},"options":[`+options+
		`]}`), unannounced)
}

// TestOptionsOfPermissions: what an agent offers decides who may choose, and whether a yes may be remembered.
func TestOptionsOfPermissions(t *testing.T) {
	for kinds, want := range map[string]string{
		"allow_once":                           "",
		"allow_once reject_once":               "",
		"allow_once allow_always":              "persistable",
		"allow_once allow_once":                "choice",
		"allow_once allow_once allow_always":   "choice persistable",
		"allow_always":                         "choice persistable",
		"reject_once":                          "no_option_allows",
		"allow_once allow_always allow_always": "persistable",
	} {
		var list []string
		for i, kind := range strings.Fields(kinds) {
			list = append(list, option(strconv.Itoa(i), "N", kind))
		}
		p, no := offering(strings.Join(list, ","))
		var got []string
		if no != nil {
			got = append(got, no.Problems[0].Code)
		}
		if p.Choice {
			got = append(got, "choice")
		}
		if p.Request.Persistable {
			got = append(got, "persistable")
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %q, want %q", kinds, s, want)
		}
	}
}

// TestReadUpdate: an update is kept for the permission about its tool call, as long as its ids can be in one.
func TestReadUpdate(t *testing.T) {
	update := func(session, call, kind, more string) string {
		return `{"sessionId":"` + session + `","update":{"sessionUpdate":"` + kind + `","toolCallId":"` + call + `"` +
			more + `}}`
	}
	long := strings.Repeat("i", 1024)
	for _, c := range []struct{ params, v1, v2 string }{
		{update("s", "t", "tool_call", ""), "open", ""},
		{update("s", "t", "tool_call_update", ""), "open", "open"},
		{update("s", "t", "tool_call_content_chunk", ""), "", "open"},
		{update("s", "t", "plan", ""), "", ""},
		{update(long, long, "tool_call_update", ""), "open", "open"},
		{update(long+"i", "t", "tool_call_update", ""), "", ""},
		{update("s", long+"i", "tool_call_update", ""), "", ""},
		{update("s", "", "tool_call_update", ""), "", ""},
		{update("s", "t", "tool_call_update", `,"status":"completed"`), "over", "over"},
		{update("s", "t", "tool_call_update", `,"status":"failed"`), "over", "over"},
		{update("s", "t", "tool_call_update", `,"status":"cancelled"`), "open", "over"},
		{update("s", "t", "tool_call_update", `,"status":"in_progress"`), "open", "open"},
		{`{"sessionId":"s","update":[]}`, "", ""},
		{`{"sessionId":"s"}`, "", ""},
	} {
		for _, one := range []struct {
			d    Dialect
			want string
		}{{V1, c.v1}, {V2, c.v2}} {
			got := ""
			if u, ok := one.d.ReadUpdate([]byte(c.params)); ok && u.Over {
				got = "over"
			} else if ok {
				got = "open"
			}
			if got != one.want {
				t.Errorf("version %s: %.200s: %q, want %q", one.d.Version, c.params, got, one.want)
			}
		}
	}
}

// TestOptionsAreBounded: options are read up to their bounds, and the answer names one of them.
func TestOptionsAreBounded(t *testing.T) {
	many := func(n int) string {
		list := []string{option("y", "Y", "allow_once")}
		for i := 1; i < n; i++ {
			list = append(list, option(strconv.Itoa(i), "N", "reject_once"))
		}
		return strings.Join(list, ",")
	}
	long := strings.Repeat("o", 1024)
	for options, want := range map[string]string{
		many(32):                                        "",
		many(33):                                        "too_many_options /options",
		option(long, long, "allow_always"):              "",
		option(long+"o", "Y", "allow_once"):             "text_too_large /options/0/optionId",
		option("y", long+"o", "allow_once"):             "text_too_large /options/0/name",
		option("", "Y", "allow_once"):                   "empty_value /options/0/optionId",
		option("y", "", "allow_once"):                   "",
		many(2) + "," + option("1", "Z", "reject_once"): "repeated_value /options/2/optionId",
		option("y", "Y", "allow_twice"):                 "no_option_allows /options",
		`7`:                                             "wrong_type /options/0",
		``:                                              "no_option_allows /options",
	} {
		p, no := offering(options)
		got := ""
		if no != nil {
			got = no.Problems[0].Code + " " + no.Problems[0].Pointer
		}
		if got != want || no == nil && len(p.Options) != strings.Count(options, "optionId") {
			t.Errorf("%.80s: %q, want %q; %d options", options, got, want, len(p.Options))
		}
	}
	const spaced = `{"sessionId":"s","options": [ {"optionId":"y"} ]}` // without an unknown one it goes on as it is
	if got := string((&Permission{Options: make([]Option, 1)}).AppendParams(nil, []byte(spaced))); got != spaced {
		t.Errorf("%s goes on", got)
	}
	p, no := offering(many(2) + "," + option("u", "U", "other"))
	if no != nil || p.Unknown != 1 {
		t.Fatalf("%v, %d unknown options", no, p.Unknown)
	}
	for outcome, want := range map[string]string{
		`{"outcome":"selected","optionId":"y"}`:  "y",
		`{"outcome":"selected","optionId":"1"}`:  "1",
		`{"outcome":"selected","optionId":"u"}`:  "unknown_option /outcome/optionId",
		`{"outcome":"selected"}`:                 "missing /outcome/optionId",
		`{"outcome":"cancelled","optionId":"y"}`: "",
		`{"outcome":"allowed"}`:                  "unknown_outcome /outcome/outcome",
		`"cancelled"`:                            "wrong_type /outcome",
	} {
		o, problems := p.DecodeOutcome([]byte(`{"outcome":` + outcome + `}`))
		got := o.ID
		if problems != nil {
			got = problems[0].Code + " " + problems[0].Pointer
		}
		if got != want || len(problems) > 1 {
			t.Errorf("%s: %q %v, want %q", outcome, got, problems, want)
		}
	}
}

// TestAccepting: an acceptance names an option that was offered to the person, or none.
func TestAccepting(t *testing.T) {
	one, always, no := option("o", "", "allow_once"), option("w", "", "allow_always"), option("n", "", "reject_once")
	other, unknown := option("p", "", "allow_once"), option("u", "", "other")
	for _, c := range []struct{ options, content, want string }{
		{one + "," + no, `{}`, "o"},
		{one + "," + no, `{"option":"n"}`, "o"}, // the form has no such field
		{always + "," + no, `{"option":"w"}`, "w"},
		{always + "," + no, `{"option":"n"}`, ""},
		{always + "," + no, `{"option":""}`, ""},
		{always + "," + no, `{}`, ""},
		{one + "," + other + "," + always, `{"option":"p"}`, "p"},
		{one + "," + other + "," + always, `{"option":"w"}`, ""},
		{one + "," + other + "," + unknown, `{"option":"u"}`, ""},
	} {
		p, refused := offering(c.options)
		if refused != nil {
			t.Fatal(refused.Problems)
		}
		o, ok := p.Accepting([]byte(c.content))
		if !ok {
			o.ID = ""
		}
		if o.ID != c.want || ok != (c.want != "") {
			t.Errorf("%s accepted with %s: %q, want %q", c.options, c.content, o.ID, c.want)
		}
		if o, ok := p.Declining(); ok != strings.Contains(c.options, "reject_once") || ok && o.ID != "n" {
			t.Errorf("%s is declined with %q", c.options, o.ID)
		}
	}
}

// TestToolNames: rules see the name of a tool up to its bound. Beyond it, the tool may be any.
func TestToolNames(t *testing.T) {
	const yes = `"options":[{"optionId":"y","name":"Y","kind":"allow_once"}]}`
	for _, c := range []struct {
		size          int
		call, command string // the tools of a call with that name, and of a command that belongs to such a call
	}{{0, "execute", "execute"}, {1, "n", "n"}, {256, strings.Repeat("n", 256), strings.Repeat("n", 256)},
		{257, "", "execute"}} {
		name := strings.Repeat("n", c.size)
		p, no := V1.DecodePermission([]byte(`{"sessionId":"s","toolCall":{"toolCallId":"t","title":"T","kind":"execute",`+
			`"name":"`+name+`"},`+yes), unannounced)
		if no != nil || p.Request.Tool != c.call || p.Request.CandidatesCut != (c.call == "") {
			t.Errorf("%d bytes: %v, a call of %q", c.size, no, p.Request.Tool)
		}
		announced := func(session, call string) *Announced {
			u, ok := V2.ReadUpdate([]byte(`{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"t",` +
				`"name":"` + name + `"}}`))
			if a := new(Announced); ok && session == "s" && call == "t" {
				a.Add(u)
				return a
			}
			return nil
		}
		for id, want := range map[string]string{"t": c.command, "": "execute", "u": "execute"} {
			p, no := V2.DecodePermission([]byte(`{"sessionId":"s","title":"T","subject":{"type":"command","command":"ls",`+
				`"cwd":"/","toolCallId":"`+id+`"},`+yes), announced)
			if no != nil || p.Request.Tool != want {
				t.Errorf("%d bytes: %v, a command of %q, want %q", c.size, no, p.Request.Tool, want)
			}
		}
	}
}

// TestReadState: only a version that has states tells one.
func TestReadState(t *testing.T) {
	state := func(session, kind, state string) string {
		return `{"sessionId":"` + session + `","update":{"sessionUpdate":"` + kind + `","state":"` + state + `"}}`
	}
	long := strings.Repeat("s", 1024)
	for params, want := range map[string]string{state("s", "state_update", "idle"): "s idle",
		state("s", "plan", "idle"): " ", state("", "state_update", "idle"): " ",
		state(long, "state_update", "running"):     long + " running",
		state(long+"s", "state_update", "running"): " ", `{"sessionId":"s"}`: " "} {
		if session, got := V2.ReadState([]byte(params)); session+" "+got != want {
			t.Errorf("%.80s: %.80s %s", params, session, got)
		}
		if session, got := V1.ReadState([]byte(params)); session+got != "" {
			t.Errorf("version 1: %.80s: %.80s %s", params, session, got)
		}
	}
}

// TestContentsAreCut: a text that is too long to show ends with a digest of all of it and of what comes after it.
func TestContentsAreCut(t *testing.T) {
	for _, size := range []int{24<<10 - len("\n\nb\n\nc"), 24<<10 + 1} {
		text := strings.Repeat("a", size)
		content := func(text string) string {
			return `{"type":"content","content":{"type":"text","text":"` + text + `"}}`
		}
		p, no := V1.DecodePermission([]byte(`{"sessionId":"s","toolCall":{"toolCallId":"t","title":"T","content":[`+
			content(text)+`,`+content("b")+`,`+content("c")+`]},"options":[{"optionId":"y","name":"Y",`+
			`"kind":"allow_once"}]}`), unannounced)
		want := "T\n\n" + wire.Cut(text+"\n\nb\n\nc", 24<<10)
		if no != nil || p.Request.Message != want || p.Choice != (size > 24<<10) || p.Request.MessageCut != p.Choice {
			t.Errorf("of %d bytes are shown: %v %.100s, choice %t", size, no, p.Request.Message[len(p.Request.Message)-100:],
				p.Choice)
		}
	}
}

// TestPartsAreBounded: a person must choose if a part of the message is longer than its bound. Rules see a command and
// a directory up to the same bounds.
func TestPartsAreBounded(t *testing.T) {
	const call, title = `"toolCall":{"toolCallId":"t",`, `"title":"T",`
	for _, c := range []struct {
		of      Dialect
		members string // ~ stands for many bytes
		most    int    // of these bytes
		line    string // what rules see of a command
		sees    int    // up to how many bytes
	}{
		{V1, call + `"title":"~"}`, 4096, "", 0},
		{V1, call + title + `"locations":[{"path":"~"}]}`, 4096, "", 0},
		{V1, call + title + `"rawInput":{"":"~"}}`, 16384 - len(`{"":""}`), "", 0},
		{V1, call + title + `"content":[{"type":"content","content":{"type":"text","text":"~"}}]}`, 24576, "", 0},
		{V1, call + `"kind":"execute","rawInput":{"command":"~"}}`, 16384, "~", 16384},
		{V1, call + `"kind":"execute","rawInput":{"command":"ls","cwd":"~"}}`, 4096 - len("In "), "ls~", 4096},
		{V2, `"title":"~"`, 4096, "", 0},
		{V2, title + `"description":"~"`, 4096, "", 0},
		{V2, title + `"subject":{"type":"command","command":"~","cwd":"/"}`, 16384, "~/", 16384},
		{V2, title + `"subject":{"type":"command","command":"ls","cwd":"/~"}`, 4096 - len("In /"), "ls/~", 4095},
	} {
		for _, n := range []int{c.most, c.most + 1, c.sees, c.sees + 1} {
			fill := func(text string) string { return strings.Replace(text, "~", strings.Repeat("x", n), 1) }
			p, no := c.of.DecodePermission([]byte(`{"sessionId":"s",`+fill(c.members)+`,"options":[`+
				option("y", "Y", "allow_once")+`]}`), unannounced)
			line := fill(c.line)
			if n > c.sees {
				line = ""
			}
			if q := &p.Request; no != nil || n > 1 && p.Choice != (n > c.most) || q.Command+q.Cwd != line {
				t.Errorf("%s of %d bytes: %v, choice %t, command %.10s", c.members, n, no, p.Choice, q.Command+q.Cwd)
			}
		}
	}
}

// TestContents: a person reads a text and a change of a file as such, and any other content as JSON.
func TestContents(t *testing.T) {
	for content, want := range map[string][2]string{ // "" is the content itself
		`{"type":"content","content":{"type":"text","text":"a"}}`:                    {"a", "a"},
		`{"type":"content","content":{"type":"text","text":7}}`:                      {},
		`{"type":"content","content":{"type":"resource_link","uri":"b","text":"a"}}`: {},
		`{"type":"content","content":{"type":"image","data":"AA=="}}`:                {},
		`{"type":"terminal","content":{"text":"a"}}`:                                 {},
		`{"type":"diff","path":"/a","newText":"b"}`:                                  {"/a:1\n+ b", ""},
		`{"type":"diff","path":"/a","newText":"b","oldText":"c"}`:                    {"/a:1\n- c\n+ b", ""},
		`{"type":"diff","path":"/a","newText":"b","oldText":7}`:                      {},
		`{"type":"diff","path":"/a"}`:                                                {},
		`{"type":"diff","newText":"b"}`:                                              {},
		`{"type":"other","path":"/a","newText":"b"}`:                                 {},
		`{"type":"diff","changes":[{"operation":"add","path":"/a"}]}`:                {"", "add /a"},
		`{"type":"other","changes":[{"operation":"add","path":"/a"}]}`:               {},
		`{"type":"diff","changes":[{"operation":"add","path":"/a","mode":"x"}]}`:     {},
	} {
		for i, d := range []Dialect{V1, V2} {
			p := Permission{patches: d.patches}
			if _, got := p.contentOf([]byte(content)); got != want[i] && (want[i] != "" || got != content) {
				t.Errorf("version %s: %s: %s", d.Version, content, got)
			}
		}
	}
	// All contents together have one bound. The one that goes beyond it is cut.
	for size, left := range map[int]int{24<<10 - len("\n\nb"): 1, 24<<10 - len("\n\nb") + 1: 0, 24 << 10: 0} {
		var text wire.Parts
		long := strings.Repeat("a", size)
		(&Permission{}).addContents(&text, []byte(`[{"type":"content","content":{"type":"text","text":"`+long+
			`"}},{"type":"content","content":{"type":"text","text":"b"}}]`))
		if want := long + "\n\n" + wire.Cut("b", left); text.String() != want || text.Cut != (left == 0) {
			t.Errorf("%d bytes and one end with %s", size, text.String()[size-10:])
		}
	}
}

// TestReadQuestions: only the tool of Qwen Code that asks has its questions in its input, and what _meta has is first.
func TestReadQuestions(t *testing.T) {
	const list, other = `[{"question":"Q?","options":[{"label":"a"},{"label":"b"}]}]`, `[{"question":"R?"}]`
	for call, want := range map[string]string{
		`"_meta":{"qwenQuestions":` + list + `}`:                                                                       "Q?",
		`"_meta":{"toolName":"ask_user_question"},"rawInput":{"questions":` + list + `}`:                               "Q?",
		`"_meta":{"toolName":"other"},"rawInput":{"questions":` + list + `}`:                                           "",
		`"_meta":{"qwenQuestions":` + list + `,"toolName":"ask_user_question"},"rawInput":{"questions":` + other + `}`: "Q?",
		`"rawInput":{"questions":` + list + `}`:                                                                        "",
	} {
		p, no := V1.DecodePermission([]byte(`{"sessionId":"s","toolCall":{"toolCallId":"t",`+call+`},"options":[`+
			option("y", "Y", "allow_once")+`,`+option("z", "Z", "allow_once")+`,`+option("w", "W", "allow_always")+`]}`),
			unannounced)
		if no != nil || p.Asks() != (want != "") || want != "" && p.Request.Message != want {
			t.Errorf("%s: %v, asks %t: %s", call, no, p.Asks(), p.Request.Message)
		}
		if want == "" {
			continue
		}
		if o, ok := p.Accepting(nil); !ok || o.ID != "y" || p.Request.Persistable {
			t.Errorf("%s: an answer goes with %q, persistable %t", call, o.ID, p.Request.Persistable)
		}
		for said, content := range map[string]string{`{"0":"b"}`: `{"answer0":"1"}`, `{"0":" "}`: "", `{"1":"b"}`: ""} {
			if got := string(p.ContentOf([]byte(`{"answers":` + said + `}`))); got != content {
				t.Errorf("%s: content %s, want %s", said, got, content)
			}
		}
		for content, answers := range map[string]string{`{}`: "", `{"answer0":"1"}`: `{"0":"b"}`,
			`{"answer0":"1","own0":"w"}`: `{"0":"b, w"}`} {
			if got := string(p.Answers([]byte(content))); got != answers {
				t.Errorf("%s: answers %s, want %s", content, got, answers)
			}
		}
	}
}
