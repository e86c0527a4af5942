package risk

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// spellings change or delete the file FILE.
var spellings = []string{"echo x > FILE", "echo x >> FILE", "rm FILE", "rm -f -- FILE", "mv x FILE", "mv FILE x",
	"cp x FILE", "sed -i s/a/b/ FILE", "echo x | tee FILE", "ln -sf /tmp/x FILE", "truncate -s 0 FILE",
	"install -m 644 x FILE", "cat > FILE <<E\nx\nE", "dd if=x of=FILE", "bash -c 'echo x > FILE'", "sudo tee -a FILE < x",
	"find . -name x -exec cp {} FILE \\;", "curl -o FILE https://example.com/x", "D=FILE; echo x > $D", ": > FILE",
	"perl -i -pe s/a/b/ FILE", "python3 -c \"open('FILE','w').write('x')\"", "python3 - <<E\nopen('FILE','w')\nE",
	"python3 -c \"import os; os.remove('FILE')\"", "node -e \"require('fs').writeFileSync('FILE','x')\""}

// TestOneDeedTwoDoors: what a patch may not do, a command may not do either, however it is spelled.
func TestOneDeedTwoDoors(t *testing.T) {
	for _, file := range strings.Fields("~/.claude/settings.json ~/.bashrc .git/hooks/pre-commit ~/.codex/hooks.json " +
		"~/.config/elicit/policy.json ~/.local/state/elicit/journal/a.jsonl ~/.ssh/authorized_keys /etc/cron.d/x " +
		"~/.config/systemd/user/x.service .github/hooks/elicit.json .vscode/mcp.json ~/.config/zed/settings.json") {
		if list := Inspect(&Subject{Mode: elicit.Form, Does: elicit.DeedPatch, Paths: []string{file}}); !Dangerous(list) {
			t.Errorf("patch of %s: %v; want a finding of severity high", file, list)
		}
		for _, spelled := range spellings {
			command := strings.ReplaceAll(spelled, "FILE", file)
			if list := Inspect(&Subject{Mode: elicit.Form, Command: command}); !Dangerous(list) {
				t.Errorf("%s: %v; want a finding of severity high", command, list)
			}
		}
	}
}

// TestGuardIsNotEnded: commands that end Elicit or start an agent without questions, and commands that only look so.
func TestGuardIsNotEnded(t *testing.T) {
	for _, command := range []string{"elicit uninstall --yes", "sudo killall -9 elicit", "kill $(pgrep -f elicit)",
		"pgrep elicit | xargs kill", "rm $(which elicit)", "elicit grants revoke --all", "codex --yolo", "codex -a never",
		"npx -y @anthropic-ai/claude-code@latest --dangerously-skip-permissions", "gemini -y", "systemctl stop elicit",
		"env X=1 claude --permission-mode bypassPermissions", "git config core.hooksPath /tmp/x"} {
		if list := Inspect(&Subject{Mode: elicit.Form, Command: command}); !Dangerous(list) {
			t.Errorf("%s: %v; want a finding of severity high", command, list)
		}
	}
	for _, command := range []string{"elicit uninstall --dry-run", "elicit uninstall --help", "elicit policy test",
		"elicit grants list", "ps aux | grep elicit", "pkill node", "claude --help", "codex -a on-request",
		"echo 'pkill elicit'", "git commit -m 'no codex --yolo'", "grep -rn dangerously-skip-permissions docs",
		"git config user.name Ann", "ls -la ~/.claude", "cat ~/.claude/settings.json", "chmod 600 ~/.ssh/id_rsa",
		"mkdir -p ~/.ssh", "ssh-keygen -f ~/.ssh/id_x", "crontab -l"} {
		noneAboveLow(t, command, &Subject{Mode: elicit.Form, Command: command})
	}
}
