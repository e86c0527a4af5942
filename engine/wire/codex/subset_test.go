package codex

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestSubsetFailsClosed: whatever the content of an acceptance is, nothing is granted that was not offered and chosen.
// The engine has checked the content before, so most of these cannot come.
func TestSubsetFailsClosed(t *testing.T) {
	const known = `{"network":{"enabled":true},"fileSystem":{"read":["/etc"],"write":null,"globScanMaxDepth":2,` +
		`"entries":[{"path":{"type":"path","path":"/a"},"access":"read"},` +
		`{"path":{"type":"path","path":"/a/b"},"access":"deny"}]}}`
	const narrow = `"globScanMaxDepth":2,"entries":[{"path":{"type":"path","path":"/a/b"},"access":"deny"}]}}`
	later := strings.Replace(known, `"write":null`, `"network":{"enabled":true}`, 1)
	var most []string
	for i := range 64 {
		most = append(most, `"read /`+strconv.Itoa(i)+`"`)
	}
	many := strings.Join(most, ",")
	paths := `{"fileSystem":{"read":[` + strings.ReplaceAll(many, "read ", "") + `]}}`
	const nothing = `{}`
	for _, c := range []struct{ asked, content, want string }{
		{known, ``, nothing}, {known, `null`, nothing}, {known, `{}`, nothing}, {known, `{"allow":[]}`, nothing},
		{known, `{"allow":{}}`, nothing}, {known, `{"allow":"read /etc"}`, nothing}, {known, `{"allow":[1]}`, nothing},
		{known, `{"allow":["read /"]}`, nothing}, {known, `{"allow":["read /etc","read /"]}`, nothing},
		{known, `{"allow":["read /etc","read /etc"]}`, nothing}, {known, `{"allow":["deny /a/b"]}`, nothing},
		{known, `{"allow":["read /etc","globScanMaxDepth 2"]}`, nothing},
		{known, `{"allow":["read /etc"]}`, `{"fileSystem":{"read":["/etc"],` + narrow},
		{known, `{"allow":["Network: every host"]}`, `{"network":{"enabled":true}}`},
		{known, `{"allow":["read /a","read /etc","Network: every host"]}`, known},
		{later, `{"allow":["Network: every host"]}`, `{"network":{"enabled":true}}`},
		{later, `{"allow":["read /a"]}`, nothing}, // fileSystem.network is not known
		{paths, `{"allow":[` + many + `]}`, paths}, {paths, `{"allow":[` + many + `,"read /"]}`, nothing},
	} {
		q, no := Decode(MethodPermissions, []byte(`{"threadId":"t","turnId":"u","itemId":"i","cwd":"/w","permissions":`+
			c.asked+`}`), nil)
		if no != nil {
			t.Fatal(no.Problems)
		}
		q.OfferSubset()
		got := string(q.AppendResult(nil, Answer{Action: elicit.Accept, Content: []byte(c.content)}))
		if got != `{"permissions":`+c.want+`,"scope":"turn"}` {
			t.Errorf("%s: %s, want %s", c.content, got, c.want)
		}
	}
}

// TestWhatIsNotShown: a question that a person cannot see whole says so, or no policy may accept it alone.
func TestWhatIsNotShown(t *testing.T) {
	place := `"threadId":"t","turnId":"u","itemId":"i"`
	paths := func(n int) string { return strings.TrimSuffix(strings.Repeat(`"/a",`, n), ",") }
	files := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"/%d":{"type":"delete"}`, i))
		}
		return strings.Join(list, ",")
	}
	call := func(size int) string {
		return `{"threadId":"t","item":{"type":"mcpToolCall","id":"c","server":"s","tool":"w","arguments":{"a":"` +
			strings.Repeat("x", size-len(`{"a":""}`)) + `"}}}`
	}
	asks := func(question string) string {
		return `{` + place + `,"questions":[{"id":"mcp_tool_call_approval_c","header":"h","question":"` + question +
			`","options":[{"label":"Allow"},{"label":"Cancel"}]}]}`
	}
	permissions := func(of string) string { return `{` + place + `,"permissions":{"fileSystem":{` + of + `}}}` }
	patch := func(changes string) string {
		return `{"conversationId":"c","callId":"k","fileChanges":{` + changes + `}}`
	}
	added := func(size int) string {
		return patch(`"/a":{"type":"add","content":"` + strings.Repeat("x", size) + `"}`)
	}
	for _, c := range []struct{ name, method, params, item, want string }{
		{"all paths", MethodPermissions, permissions(`"read":[` + paths(512) + `]`), "", ""},
		{"too many paths", MethodPermissions, permissions(`"read":[` + paths(513) + `]`), "", "choice"},
		{"a path that is no text", MethodPermissions, permissions(`"write":["/a",7]`), "", "choice"},
		{"a member of a later version", MethodPermissions, `{` + place + `,"permissions":{"usb":true}}`, "", "choice"},
		{"all files", MethodPatchV1, patch(files(elicit.MaxReach)), "", ""},
		{"more files than are told", MethodPatchV1, patch(files(elicit.MaxReach + 1)), "", "reach"},
		{"the most files", MethodPatchV1, patch(files(512)), "", "reach"},
		{"too many files", MethodPatchV1, patch(files(513)), "", "choice reach"},
		{"a new file", MethodPatchV1, patch(`"/a":{"type":"add","content":"x"}`), "", ""},
		{"a new file without its text", MethodPatchV1, patch(`"/a":{"type":"add"}`), "", "choice reach"},
		{"a long new file", MethodPatchV1, added(24<<10 - len("add /a\n+")), "", ""},
		{"a longer new file", MethodPatchV1, added(24<<10 - len("add /a\n+") + 1), "", "cut choice"},
		{"a change without its lines", MethodPatchV1, patch(`"/a":{"type":"update","unified_diff":7}`), "", "choice reach"},
		{"a call", MethodInput, asks("Q?"), call(8 << 10), ""},
		{"a call with long arguments", MethodInput, asks("Q?"), call(8<<10 + 1), "cut choice"},
	} {
		var items List
		if c.item != "" {
			items.Take(ReadItem([]byte(c.item)))
		}
		q, no := Decode(c.method, []byte(c.params), &items)
		if no != nil {
			t.Fatalf("%s: %v", c.name, no.Problems)
		}
		var got []string
		for _, one := range []struct {
			is   bool
			name string
		}{{q.Request.MessageCut, "cut"}, {q.Choice, "choice"}, {q.Request.ReachCut, "reach"}} {
			if one.is {
				got = append(got, one.name)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}

// TestServedAnswers: a client of `codex mcp-server` that knows no choice gets what the plain acceptance says.
func TestServedAnswers(t *testing.T) {
	long := `["` + strings.Repeat("x", 24<<10+1) + `"]`
	for _, c := range []struct{ command, result, want string }{
		{`["ls"]`, `{"action":"accept"}`, `{}`},
		{`["ls"]`, `{"action":"accept","content":{"decision":"x"}}`, `{}`},
		{long, `{"action":"accept"}`, `{"decision":"approved"}`},
		{long, `{"action":"accept","content":null}`, `{"decision":"approved"}`},
		{long, `{"action":"accept","content":{"decision":"x"}}`, `{"decision":"x"}`},
		{`["ls"]`, `{"action":"decline","content":{"decision":"approved"}}`, ""},
		{long, `{"decision":"approved_for_session"}`, `{"decision":"approved"}`},
		{`["ls"]`, `{"action":"yes"}`, "unknown_action /action"},
		{`["ls"]`, `{}`, "missing /action"},
	} {
		q, no := Decode(MethodServer, []byte(`{"threadId":"t","codex_elicitation":"exec-approval","codex_cwd":"/",`+
			`"codex_command":`+c.command+`}`), nil)
		if no != nil {
			t.Fatalf("%.20s: %v", c.command, no.Problems)
		}
		a, problems := q.DecodeResult([]byte(c.result))
		got := string(a.Content)
		if problems != nil {
			got = problems[0].Code + " " + problems[0].Pointer
		}
		if got != c.want {
			t.Errorf("%.20s: %s is %s, want %s", c.command, c.result, got, c.want)
		}
	}
}

// TestGrantOfTooMany: a client grants nothing beyond the paths that were compared.
func TestGrantOfTooMany(t *testing.T) {
	paths := func(n int, last string) string {
		return `{"fileSystem":{"read":[` + strings.Repeat(`"/a",`, n-1) + `"` + last + `"]}}`
	}
	for _, c := range []struct{ asked, granted, want string }{
		{paths(512, "/a"), paths(1, "/a"), ""},
		{paths(1, "/a"), paths(512, "/a"), ""},
		{paths(1, "/a"), paths(1, "/b"), "wider_than_asked"},
		{paths(513, "/a"), paths(1, "/a"), "wider_than_asked"},
		{paths(1, "/a"), paths(513, "/b"), "wider_than_asked"},
		{paths(1, "/a"), `{"fileSystem":{"read":{"0":"/a"}}}`, "wider_than_asked"},
		{`{"network":{"enabled":true}}`, `{"network":{}}`, ""},
		{`{"network":{"enabled":true}}`, `{"network":{"enabled":false}}`, ""},
		{`{"network":{"enabled":false}}`, `{"network":{"enabled":true}}`, "wider_than_asked"},
		{`{"network":{"enabled":true}}`, `{"network":{"hosts":["a"]}}`, "wider_than_asked"},
		{`{"network":{"enabled":true}}`, `{"network":{"enabled":true,"hosts":["a"]}}`, "wider_than_asked"},
		{`{"network":{"enabled":true}}`, `{"network":{"enabled":true},"fileSystem":null}`, ""},
		{`{"network":{"enabled":true}}`, `{"network":{"enabled":true},"usb":true}`, "wider_than_asked"},
	} {
		q, no := Decode(MethodPermissions, []byte(`{"threadId":"t","turnId":"u","itemId":"i","permissions":`+
			c.asked+`}`), nil)
		if no != nil {
			t.Fatal(no.Problems)
		}
		_, problems := q.DecodeResult([]byte(`{"permissions":` + c.granted + `,"scope":"turn"}`))
		got := ""
		if problems != nil {
			got = problems[0].Code
		}
		if got != c.want {
			t.Errorf("%.60s of %.60s: %q, want %q", c.granted, c.asked, got, c.want)
		}
	}
}

// TestSubsetIsOffered: a person chooses among permissions that differ, as long as one form can have all of them.
func TestSubsetIsOffered(t *testing.T) {
	paths := func(sizes ...int) string {
		var list []string
		for i, size := range sizes {
			name := "/" + strconv.Itoa(i)
			list = append(list, `"`+name+strings.Repeat("a", size-len("read ")-len(name))+`"`)
		}
		return `{"fileSystem":{"read":[` + strings.Join(list, ",") + `]}}`
	}
	for _, c := range []struct {
		name, asked string
		want        bool
	}{
		{"one", paths(8), false}, {"two", paths(8, 8), true}, {"one twice", `{"fileSystem":{"read":["/a","/a"]}}`, false},
		{"the most", paths(slices.Repeat([]int{8}, 64)...), true},
		{"more", paths(slices.Repeat([]int{8}, 65)...), false},
		{"a reason", paths(8, 8) + `,"reason":"` + strings.Repeat("a", 4<<10) + `"`, true},
		{"a reason that was cut", paths(8, 8) + `,"reason":"` + strings.Repeat("a", 4<<10+1) + `"`, false},
		{"the longest", paths(8<<10, 8<<10), true}, {"longer", paths(8<<10, 8<<10+1), false},
	} {
		q, no := Decode(MethodPermissions, []byte(`{"threadId":"t","turnId":"u","itemId":"i","permissions":`+
			c.asked+`}`), nil)
		if no != nil {
			t.Fatal(no.Problems)
		}
		if q.OfferSubset(); strings.Contains(string(q.Request.Schema), `"`+FieldAllow+`"`) != c.want {
			t.Errorf("%s: the form is %.200s", c.name, q.Request.Schema)
		}
	}
}

// TestOnlyOneQuestionApproves: of what asks for input, only one question with the id of a call approves that call.
func TestOnlyOneQuestionApproves(t *testing.T) {
	ask := func(id, label string) string {
		return `{"id":"` + id + `","header":"h","question":"Q?","options":[{"label":"` + label + `"},{"label":"Cancel"}]}`
	}
	own := callPrefix + "c"
	for questions, want := range map[string]elicit.Claim{
		ask(own, labelAllow):                              elicit.ClaimApproval,
		ask(own, labelAllow) + "," + ask("b", "B"):        "",
		ask(own, "Yes"):                                   "",
		ask("c", labelAllow):                              "",
		ask(callPrefix+"d", labelAllow):                   "",
		ask("b", labelAllow) + "," + ask(own, labelAllow): "",
	} {
		var items List
		items.Take(ReadItem([]byte(`{"threadId":"t","item":{"type":"mcpToolCall","id":"c","server":"s","tool":"w"}}`)))
		q, no := Decode(MethodInput, []byte(`{"threadId":"t","turnId":"u","itemId":"i","questions":[`+questions+`]}`), &items)
		if no != nil || q.Request.Claim != want {
			t.Errorf("%s: %v, claim %q, want %q", questions, no, q.Request.Claim, want)
		}
	}
}

// TestInputIsRead: a client's answers become the content of the form. Words count only where they were asked for.
func TestInputIsRead(t *testing.T) {
	const options = `"options":[{"label":"a"},{"label":"b"}]`
	q, no := Decode(MethodInput, []byte(`{"threadId":"t","turnId":"u","itemId":"i","questions":[`+
		`{"id":"q","header":"h","question":"?","isOther":true,`+options+`},`+
		`{"id":"p","header":"h","question":"!","isOther":false,`+options+`},{"id":"n","header":"h","question":"."}]}`), nil)
	if no != nil {
		t.Fatal(no.Problems)
	}
	for answers, want := range map[string]string{
		`"q":{"answers":["a"]}`:                                   `{"q":"a"}`,
		`"q":{"answers":["a","user_note: b"]}`:                    `{"q":"a","q_other":"b"}`,
		`"q":{"answers":["user_note: b","a"]}`:                    `{"q":"a","q_other":"b"}`,
		`"q":{"answers":["c"]}`:                                   `{"q_other":"c"}`,
		`"q":{"answers":["a","b"]}`:                               `{"q":"a","q_other":"b"}`,
		`"q":{"answers":["c","d"]}`:                               "unknown_option /answers/q/answers",
		`"q":{"answers":["user_note: c","user_note: d"]}`:         "unknown_option /answers/q/answers",
		`"p":{"answers":["b"]},"q":{"answers":["b"]}`:             `{"p":"b","q":"b"}`,
		`"p":{"answers":["c"]}`:                                   "unknown_option /answers/p/answers",
		`"p":{"answers":["a","b"]}`:                               "unknown_option /answers/p/answers",
		`"p":{"answers":["user_note: c"]}`:                        "unknown_option /answers/p/answers",
		`"n":{"answers":["any, \"words\""]}`:                      `{"n":"any, \"words\""}`,
		`"n":{"answers":["x","y"]}`:                               "unknown_option /answers/n/answers",
		`"n":{"answers":[7]}`:                                     "wrong_type /answers/n/answers",
		`"n":{"answers":"x"}`:                                     "wrong_type /answers/n/answers",
		`"n":{"answers":[]}`:                                      `{}`,
		`"z":{"answers":["a"]}`:                                   "unknown_input_key /answers",
		``:                                                        "",
		`"n":{"answers":[` + strings.Repeat(`"x",`, 64) + `"x"]}`: "wrong_type /answers/n/answers",
		`"n":{"answers":[` + strings.Repeat(`"x",`, 63) + `"x"]}`: "unknown_option /answers/n/answers",
	} {
		a, problems := q.DecodeResult([]byte(`{"answers":{` + answers + `}}`))
		got := string(a.Content)
		if problems != nil {
			got = problems[0].Code + " " + problems[0].Pointer
		}
		if got != want || problems == nil && (a.Action == elicit.Cancel) != (answers == "") {
			t.Errorf("%.80s: %s %s, want %s", answers, a.Action, got, want)
		}
	}
}
