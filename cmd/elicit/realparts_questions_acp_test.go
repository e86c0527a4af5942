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
)

// TestRealQuestionsOfQwen asks the questions of the real Qwen Code over ACP, behind the proxy. Prepared answers stand
// for the person, and the model is told the labels and never a choice that nobody made.
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
			t.Parallel()
			h := qwen.NewHome(t, agentIn(t, dir, qwen))
			step := asksPerson()
			step.Tool = "ask_user_question"
			h.Model = agenttest.NewModel(t, step)
			if err := h.Write("answers.json", `[{"answer":`+c.answer+`}]`); err != nil {
				t.Fatal(err)
			}
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
	in, out := startPiped(t, cmd)
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
