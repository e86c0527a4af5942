package acp

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// deeds has two lines for each tool call: its members, and what rules for commands and files see of it.
const deeds = `
"kind":"execute","rawInput":{"command":"git push"}
	{"does":"command","command":"git push"}
"kind":"execute","rawInput":{"command":"git push","cwd":"/w/."}
	{"does":"command","command":"git push","cwd":"/w"}
"kind":"execute","rawInput":{"command":["git","push","a b"]}
	{"does":"command","command":"git push 'a b'"}
"kind":"execute","rawInput":{"command":["bash","-lc","git push | x"]}
	{"does":"command","command":"git push | x"}
"kind":"execute","rawInput":{"command":["/tmp/bash","-c","ls"]}
	{"does":"command","command":"/tmp/bash -c ls"}
"kind":"execute","rawInput":{"command":["bash","-c","ls","x"]}
	{"does":"command","command":"bash -c ls x"}
"kind":"execute","rawInput":{"command":"git","args":["push","-f"]}
	{"does":"command","command":"git push -f"}
"kind":"execute","rawInput":{"command":"bash","args":["-lc","git push"]}
	{"does":"command","command":"git push"}
"kind":"execute","rawInput":{"command":"bash -lc ls","args":["x"]}
	{"does":"command","command":"bash -lc ls x"}
"kind":"execute","rawInput":{"command":"git","args":"push"}
	choice {"does":"command","command":"git"}
"kind":"execute","rawInput":{"command":"ls","env":{"LD_PRELOAD":"/a"}}
	choice {"does":"command","command":"ls"}
"kind":"execute","rawInput":{"command":"sh","stdin":"rm -rf /"}
	choice {"does":"command","command":"sh"}
"kind":"execute","rawInput":{"command":["ls",1]}
	{"does":"command"}
"kind":"execute","rawInput":{"command":""}
	{"does":"command"}
"kind":"execute","title":"git push","rawInput":{"command":[]}
	{"does":"command","command_candidate":"git push"}
"kind":"execute","rawInput":["ls"]
	{"does":"command"}
"kind":"execute","title":"ls"
	{"does":"command","command_candidate":"ls"}
"kind":"execute","title":"git push [in /srv] (Pushes)"
	{"does":"command","command_candidate":"git push [in /srv] (Pushes)\ngit push"}
"kind":"execute","title":"a(b)"
	{"does":"command","command_candidate":"a(b)\na"}
"kind":"execute","rawInput":{"command":"git","args":[]}
	{"does":"command","command":"git"}
"kind":"execute","rawInput":{"command":"git","args":null,"cwd":""}
	{"does":"command","command":"git"}
"kind":"execute","title":"Run","rawInput":{"script":"git push","timeout":5}
	{"does":"command","command_candidate":"Run\ngit push"}
"kind":"execute","title":"(a) b","rawInput":{"script":"git push"}
	{"does":"command","command_candidate":"(a) b\ngit push"}
"kind":"execute","title":"git push","rawInput":{"command":"ls"}
	{"does":"command","command":"ls"}
"kind":"edit","title":"git push"
	{"does":"patch","reach_cut":true}
"kind":"other","rawInput":{"command":"ls"}
	{"does":"tool","command_candidate":"ls"}
"kind":"read","rawInput":{"command":["bash","-lc","cat (a)"]}
	{"does":"tool","command_candidate":"bash -lc 'cat (a)'\nbash -lc 'cat"}
"kind":"other","rawInput":{"cmd":"git push"}
	{"does":"tool","command_candidate":"git push"}
"kind":"delete","locations":[{"path":"/w/b"}],"rawInput":{"command":"rm -rf /w/b"}
	{"does":"patch","command_candidate":"rm -rf /w/b","paths":["/w/b"]}
"kind":"other","title":"git push"
	{"does":"tool","command_candidate":"git push"}
"title":"git push","rawInput":{}
	{"does":"tool","command_candidate":"git push"}
"kind":"other","title":"git push","rawInput":{"n":1}
	{"does":"tool"}
"kind":"search","title":"git push"
	{"does":"tool"}
"kind":"read","locations":[{"path":"/w/b"},{"path":""}]
	{"does":"tool","paths":["/w/b"],"reach_cut":true}
"kind":"read","locations":[{"path":"/w/./b"}],"rawInput":{"file_path":"/w/b","path":"c"}
	{"does":"tool","paths":["/w/b","c"]}
"kind":"edit","rawInput":{"file_path":"/w/b"}
	{"does":"patch","paths":["/w/b"],"reach_cut":true}
"kind":"edit","content":[{"type":"diff","path":"/w/a/../b","newText":"x"}]
	{"does":"patch","paths":["/w/b"]}
"kind":"edit","locations":[{"path":"/w/b"},{"path":"c"}],"content":[{"type":"diff","path":"/w/a/../b","newText":"x"}]
	{"does":"patch","paths":["/w/b","c"]}
"kind":"edit","locations":[{"path":"/w/b"}]
	{"does":"patch","paths":["/w/b"],"reach_cut":true}
"kind":"edit","content":[{"type":"diff"},{"type":"diff","path":"/w"}]
	{"does":"patch","paths":["/w"],"reach_cut":true}
"kind":"edit","title":"a"
	{"does":"patch","reach_cut":true}
"kind":"delete","locations":[{"path":"/w/b"}]
	{"does":"patch","paths":["/w/b"]}
"kind":"delete","locations":[{"path":"/w/b"},{}]
	{"does":"patch","paths":["/w/b"],"reach_cut":true}
"kind":"delete","title":"a"
	{"does":"patch","reach_cut":true}
"kind":"move","locations":[{"path":"/w/b"}],"content":[{"type":"diff","path":"/w/a/../b","newText":"x"}]
	{"does":"patch","paths":["/w/b"],"reach_cut":true}
`

// TestDeeds: what rules for commands and files see of a tool call, and when only a person may choose.
func TestDeeds(t *testing.T) {
	most := strings.Repeat("x", 16<<10)
	long := `"kind":"execute","rawInput":{"command":"` + most + `"}` + "\n\t" +
		`{"does":"command","command":"` + most + `"}` + "\n" +
		`"kind":"execute","rawInput":{"command":"` + most + `x"}` + "\n\tchoice " + `{"does":"command"}`
	all := `,"command":"a` + strings.Repeat(" a", 999) + `"`
	for n, want := range map[int]string{1000: all, 1001: ""} {
		long += "\n\"kind\":\"execute\",\"rawInput\":{\"command\":[\"a\"" + strings.Repeat(`,"a"`, n-1) + "]}\n\t" +
			`{"does":"command"` + want + `}`
	}
	lines := strings.Split(strings.TrimSpace(deeds)+"\n"+long, "\n")
	for i := 0; i < len(lines); i += 2 {
		call, want := lines[i], strings.TrimSpace(lines[i+1])
		params := `{"sessionId":"s","toolCall":{"toolCallId":"t",` + call +
			`},"options":[{"optionId":"y","name":"Y","kind":"allow_once"}]}`
		p, no := V1.DecodePermission([]byte(params), unannounced)
		if no != nil {
			t.Errorf("%.80s: %+v", call, no)
			continue
		}
		got := deedOf(&p)
		if p.Choice != (p.Request.Claim == elicit.ClaimNone) {
			t.Errorf("%.80s: claim %q", call, p.Request.Claim)
		}
		if got != want {
			t.Errorf("%.80s: %s, want %s", call, got, want)
		}
	}
}

// deeds2 has two lines for each subject of version 2, as deeds has for the tool calls of version 1.
const deeds2 = `
{"type":"command","command":"git push","cwd":"/w/./x/.."}
	{"does":"command","command":"git push","cwd":"/w"}
{"type":"command","command":"sh -c 'git push'","cwd":"C:\\w"}
	{"does":"command","command":"git push","cwd":"C:\\w"}
{"type":"_other","command":"git push","cwd":"/w"}
	choice {"does":"tool","reach_cut":true}
null
	{"does":"tool"}
CALL{"kind":"edit","content":[{"type":"diff","changes":[{"operation":"modify","path":"/w/a"}]}]}
	{"does":"patch","paths":["/w/a"]}
CALL{"kind":"delete","content":[{"type":"diff","changes":[{"operation":"delete","path":"/w/a"}]}]}
	{"does":"patch","paths":["/w/a"]}
CALL{"kind":"move","content":[{"type":"diff","changes":[{"operation":"move","oldPath":"/w/a","path":"/w/b"}]}]}
	{"does":"patch","paths":["/w/b","/w/a"]}
CALL{"kind":"move","content":[{"type":"diff","changes":[{"operation":"move","path":"/w/b"}]}]}
	{"does":"patch","paths":["/w/b"],"reach_cut":true}
CALL{"_meta":{"qwenQuestions":[{"question":"Q?"}]}}
	{}
CALL{"kind":"edit","content":[{"type":"diff","changes":[]}]}
	{"does":"patch","reach_cut":true}
CALL{"kind":"edit","content":[{"type":"diff","changes":[{"operation":"_swap","path":"/w/a"}]}]}
	{"does":"patch","paths":["/w/a"],"reach_cut":true}
CALL{"kind":"edit","content":[{"type":"diff","path":"/w/a","newText":"x"}]}
	{"does":"patch","reach_cut":true}
PATCHdiff --git /w/a /w/a\n--- /w/a\n+++ /w/a\t2026\n@@ -1 +1 @@\n-a\n+b
	{"does":"patch","paths":["/w/a"]}
PATCHdiff --git /w/a /w/a\nnew file mode 100644\n--- /dev/null\n+++ /w/a
	{"does":"patch","paths":["/w/a"]}
PATCHdiff --git /w/a /etc/b
	{"does":"patch","paths":["/w/a"],"reach_cut":true}
PATCHdiff --git /etc/b /w/a
	{"does":"patch","paths":["/w/a"],"reach_cut":true}
PATCHdiff --git /w/a/w/a
	{"does":"patch","paths":["/w/a"],"reach_cut":true}
PATCH--- /w/a\n+++ /etc/b
	{"does":"patch","paths":["/w/a"],"reach_cut":true}
PATCHrename from /w/a\nrename to /etc/b
	{"does":"patch","paths":["/w/a"],"reach_cut":true}
PATCH--- \"/w/\\141\"
	{"does":"patch","paths":["/w/a"],"reach_cut":true}
`

// TestDeeds2: what rules for commands and files see of a permission of version 2.
func TestDeeds2(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(deeds2), "\n")
	for i := 0; i < len(lines); i += 2 {
		subject := lines[i]
		if patch, is := strings.CutPrefix(subject, "PATCH"); is {
			subject = `CALL{"kind":"edit","content":[{"type":"diff","changes":[{"operation":"modify","path":"/w/a"}],` +
				`"patch":{"format":"git_patch","text":"` + patch + `"}}]}`
		}
		if call, is := strings.CutPrefix(subject, "CALL{"); is {
			subject = `{"type":"tool_call","toolCall":{"toolCallId":"t",` + call + `}`
		}
		params := `{"sessionId":"s","title":"T","subject":` + subject +
			`,"options":[{"optionId":"y","name":"Y","kind":"allow_once"}]}`
		p, no := V2.DecodePermission([]byte(params), unannounced)
		if no != nil {
			t.Errorf("%s: %+v", subject, no)
			continue
		}
		if got, want := deedOf(&p), strings.TrimSpace(lines[i+1]); got != want {
			t.Errorf("%s: %s, want %s", subject, got, want)
		}
	}
}

// deedOf spells what rules see, after "choice" if only a person may choose.
func deedOf(p *Permission) string {
	o := jsontext.Begin(nil)
	p.Request.AppendDeed(&o)
	if p.Choice {
		return "choice " + string(o.End())
	}
	return string(o.End())
}

// TestCommandLine: a command is a text or a list of words, and neither is empty.
func TestCommandLine(t *testing.T) {
	for raw, want := range map[string]string{`"ls -l"`: "ls -l", `["ls"]`: "ls", `["ls","-l"]`: "ls -l", `[]`: "",
		`""`: "", `1`: "", `[1]`: ""} {
		if line, known := commandLine([]byte(raw)); known != (want != "") || known && line != want {
			t.Errorf("%s: %q, known %v", raw, line, known)
		}
	}
	a := Announced{members: map[string][]byte{}}
	for range 2 { // the second time in place of the first
		a.keep("rawInput", make([]byte, 24<<10))
		a.keep("content", make([]byte, 24<<10+1))
		if a.Size != 24<<10 || a.members["content"] != nil {
			t.Errorf("%d bytes are kept", a.Size)
		}
	}
	u, _ := V2.ReadUpdate([]byte(`{"update":{"sessionUpdate":"tool_call_update","toolCallId":"t","rawInput":null}}`))
	if a.Add(u); a.Size != 0 {
		t.Errorf("%d bytes are kept of what was taken away", a.Size)
	}
}

// TestShownInput: a person reads the input of a command if the command and its directory do not say all of it.
func TestShownInput(t *testing.T) {
	for input, want := range map[string]string{
		`{"command":"ls"}`:                           "ls",
		`{"command":"git","args":["push"]}`:          "git push",
		`{"command":"git","args":[]}`:                "git",
		`{"command":"ls","cwd":"/w"}`:                "ls\n\nIn /w",
		`{"command":"git","args":["a"],"cwd":"/w"}`:  "git a\n\nIn /w",
		`{"command":"ls","cwd":""}`:                  "ls\n\n{}",
		`{"command":"ls","timeout":5}`:               "ls\n\n{}",
		`{"command":"git","args":"a"}`:               "git\n\n{}",
		`{"command":["bash","-lc","ls"]}`:            "ls\n\n{}",
		`{"command":"ls","workdir":"/v","cwd":"/w"}`: "ls\n\nIn /w\n\n{}",
	} {
		p, no := V1.DecodePermission([]byte(`{"sessionId":"s","toolCall":{"toolCallId":"t","kind":"execute","rawInput":`+
			input+`},"options":[`+option("y", "Y", "allow_once")+`]}`), unannounced)
		if got := strings.Replace(p.Request.Message, input, "{}", 1); no != nil || got != want {
			t.Errorf("%s: %v, shows %q, want %q", input, no, got, want)
		}
	}
}
