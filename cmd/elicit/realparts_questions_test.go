package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/agenttest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// asksPerson is what the scripted model asks by the tool of Claude Code. It also writes an answer of its own.
func asksPerson() agenttest.Step {
	options := func(labels ...string) (list []map[string]string) {
		for _, label := range labels {
			list = append(list, map[string]string{"label": label, "description": "about " + label})
		}
		return list
	}
	return agenttest.Step{Tool: "AskUserQuestion", Arguments: map[string]any{
		"answers": map[string]string{"Which day?": "Friday"},
		"questions": []map[string]any{
			{"question": "Which day?", "header": "Day", "multiSelect": false, "options": options("Monday", "Friday")},
			{"question": "Which parts?", "header": "Parts", "multiSelect": true, "options": options("client", "data, and logs")},
		}}}
}

// asksHere is a policy that wants the agent's own questions asked at a place of Elicit.
const asksHere = `{"version":1,"rules":[{"name":"here","when":{"tool":"AskUserQuestion"},"then":"ask"}]}`

// TestRealQuestionsAnswered sits at `elicit answer` beside the real Claude Code, whose own dialog never opens. What the
// model is told is what the person chose.
func TestRealQuestionsAnswered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		keys []string
		want []string
	}{
		{"labels", []string{"Down", "Down", "Tab", "Tab", "Space", "Down", "Space", "C-s"},
			[]string{"Your questions have been answered", `"Which day?"="Friday"`, `"Which parts?"="client, "data, and logs""`}},
		{"own words", []string{"Down", "Down", "Down", "Tab", "n", "o", "w", "Tab", "Space", "C-s"},
			[]string{"The user answered", `"Which day?"="now"`, `"Which parts?"="client"`}},
		{"left to the agent, with a note", []string{"Down", "Down", "Down", "Down", "Tab", "o", "k", "Tab", "Space", "C-s"},
			[]string{`"Which day?"="You decide" notes: ok`, `"Which parts?"="client"`}},
		{"in part", []string{"Down", "Down", "Down", "Tab", "Tab", "Space", "C-s"},
			[]string{`"Which day?"=(no option selected) notes: Not answered.`, `"Which parts?"="client"`}},
		{"declined", []string{"C-x"}, []string{"the question is not answered. The person declined to answer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "labels" && c.name != "declined" {
				vectors.Night(t)
			}
			t.Parallel()
			h, elicit := questioned(t, asksHere)
			install(t, elicit, h.Environ(), h.Project)
			desk := deskOf(t, elicit, h.Project, h.Environ())
			a := attend(t, h)
			desk.Wait("claude-code asks, running AskUserQuestion", "Friday: about Friday", "Let the agent decide")
			desk.Keys(c.keys...)
			a.terminal.Until("goes on", func(string) bool { return len(a.told()) > 0 })
			told := a.told()[0]
			if said := ""; json.Unmarshal([]byte(told), &said) == nil {
				told = said
			}
			for _, words := range c.want {
				if !strings.Contains(told, words) {
					t.Errorf("the model was told %s, want %s", told, words)
				}
			}
			if c.name != "labels" && strings.Contains(told, "Friday") {
				t.Errorf("the model was told its own answer: %s", told)
			}
			log := exec.Command(elicit, "log")
			log.Env = h.Environ()
			if out, err := log.CombinedOutput(); err != nil || !strings.Contains(string(out), "claude-code AskUserQuestion") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// questioned is a home of Claude Code whose model asks the person, with a policy of the person.
func questioned(t *testing.T, policy string) (h *agenttest.Home, elicit string) {
	t.Helper()
	dir := realParts(t)
	agent := &agenttest.Agents()[0]
	h = agent.NewHome(t, agentIn(t, dir, agent))
	h.Model, h.Runtime = agenttest.NewModel(t, asksPerson()), must.ShortDir(t)
	must.OK(t, h.Write(".config/elicit/policy.json", policy))
	return h, programtest.Built(t, "./cmd/elicit")
}

// TestRealQuestionsLeft leaves the questions of the real Claude Code unanswered in each way there is: the model is told
// so, or the agent's own dialog opens. Each of the two comes in its hardest mode by day, and nobody is waited for.
func TestRealQuestionsLeft(t *testing.T) {
	t.Parallel()
	const nobody, dialog = "the question is not answered", "Enter to select"
	for _, c := range []struct {
		name, policy string
		desk         bool
		flags        []string
		want         string // what the model is told, or dialog
	}{
		{"declined by a rule", strings.Replace(asksHere, `"ask"`, `"decline"`, 1), true, nil, nobody},
		{"declined by a rule in free mode", strings.Replace(asksHere, `"ask"`, `"decline"`, 1), true,
			freely["claude-code"], nobody},
		{"nobody may be asked", `{"version":1,"approval_policy":"never"}`, true, nil, nobody},
		{"no place", asksHere, false, freely["claude-code"], dialog},
		{"accepted by a rule", strings.Replace(asksHere, `"ask"`, `"accept"`, 1), false, nil, dialog},
		{"nobody in time", asksHere, true, nil, dialog},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.flags == nil && c.name != "nobody in time" {
				vectors.Night(t)
			}
			t.Parallel()
			h, elicit := questioned(t, c.policy)
			hook := exec.Command(elicit, "hook", "--print-config", "--answer-within", "1s", "claude-code")
			text, err := hook.Output()
			var config map[string]any
			if err == nil {
				err = json.Unmarshal(text, &config)
			}
			if err == nil {
				err = h.Configure(config)
			}
			must.OK(t, err)
			if c.desk {
				deskOf(t, elicit, h.Project, h.Environ())
			}
			a := attend(t, h, c.flags...)
			opened := false
			a.terminal.Until("goes on", func(screen string) bool {
				opened = strings.Contains(screen, dialog)
				return opened || len(a.told()) > 0
			})
			if opened != (c.want == dialog) || !opened && !strings.Contains(a.told()[0], c.want) {
				t.Errorf("its dialog opened: %t; the model was told %q\n%s", opened, a.told(), a.terminal.Screen())
			}
		})
	}
	t.Run("on the command line", func(t *testing.T) {
		t.Parallel()
		h, elicit := questioned(t, asksHere)
		install(t, elicit, h.Environ(), h.Project)
		out, err := h.Turn(freely["claude-code"]...)
		if told := h.Told(); err != nil || len(told) != 1 || !strings.Contains(told[0], "No such tool available") {
			t.Errorf("%v: %s: the model was told %q", err, out, told)
		}
	})
}

// TestRealQuestionsOfQwen asks the questions of the real Qwen Code over ACP, behind the proxy. Prepared answers stand
// for the person, and the model is told the labels and never a choice that nobody made. Two answers are enough by day.
func TestRealQuestionsOfQwen(t *testing.T) {
	t.Parallel()
	dir, elicit := realParts(t), programtest.Built(t, "./cmd/elicit")
	agents := agenttest.Agents()
	qwen := &agents[slices.IndexFunc(agents, func(a agenttest.Agent) bool { return a.Host == "qwen" })]
	for _, c := range []struct{ name, answer, want string }{
		{"labels", `{"action":"accept","content":{"answer0":"0","answer1":["0","1"]}}`,
			"**Day**: Monday\n**Parts**: client, \"data, and logs\""},
		{"own words", `{"action":"accept","content":{"answer0":"own","own0":"now","answer1":["0"]}}`, "**Day**: now"},
		{"left to the agent", `{"action":"accept","content":{"answer0":"decide","answer1":["0"]}}`, "**Day**: You decide"},
		{"in part", `{"action":"accept","content":{"answer0":"own","answer1":["0"]}}`,
			"**Day**: Not answered.\n**Parts**: client"},
		{"declined", `{"action":"decline"}`, ""}, // it ends the turn, and tells the model nothing
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "labels" && c.name != "in part" {
				vectors.Night(t)
			}
			t.Parallel()
			h := qwen.NewHome(t, agentIn(t, dir, qwen))
			step := asksPerson()
			step.Tool = "ask_user_question"
			h.Model = agenttest.NewModel(t, step)
			must.OK(t, h.Write("answers.json", `[{"answer":`+c.answer+`}]`))
			command := append([]string{"proxy", "--protocol", "acp", "--name", "qwen", "--ui", "answers=" + h.Dir +
				"/answers.json", "--"}, agentIn(t, dir, qwen)...)
			speakACP(t, h, exec.Command(elicit, append(command, "--acp")...))
			told := strings.Join(h.Told(), "")
			var blocks []struct{ Text string }
			if json.Unmarshal([]byte(told), &blocks) == nil && len(blocks) == 1 {
				told = blocks[0].Text
			}
			if !strings.Contains(told, c.want) || c.want == "" && told != "" || strings.Contains(told, "Friday") {
				t.Errorf("the model was told %q, want %q", told, c.want)
			}
		})
	}
}

// speakACP starts an agent, has one turn with it, and ends it.
func speakACP(t *testing.T, h *agenttest.Home, cmd *exec.Cmd) {
	t.Helper()
	cmd.Dir, cmd.Env = h.Project, h.Environ()
	in, out := must.Start(t, cmd)
	timer := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer func() { timer.Stop(); in.Close(); _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 8<<20)
	session := ""
	for id, call := range []string{
		`"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}`,
		`"session/new","params":{"cwd":"` + h.Project + `","mcpServers":[]}`,
		`"session/prompt","params":{"sessionId":"SESSION","prompt":[{"type":"text","text":"Go."}]}`,
	} {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":%s}`+"\n", id, strings.ReplaceAll(call, "SESSION", session))
		for answered := false; !answered; {
			if !lines.Scan() {
				t.Fatalf("the agent ended before it answered %s", call)
			}
			var got struct {
				ID     *int
				Method string
				Result struct{ SessionID string }
				Error  json.RawMessage
			}
			if err := json.Unmarshal(lines.Bytes(), &got); err != nil || got.Error != nil {
				t.Fatalf("%v: %s", err, lines.Bytes())
			}
			if answered = got.Method == "" && got.ID != nil && *got.ID == id; answered && got.Result.SessionID != "" {
				session = got.Result.SessionID
			}
		}
	}
}
