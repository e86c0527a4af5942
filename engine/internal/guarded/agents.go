package guarded

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/impact"
)

// agentFlags are the agents, and the options after which they ask nobody or load other settings.
var agentFlags = map[string]string{
	"claude": " --permission-mode=bypassPermissions --settings --setting-sources --bare --safe-mode --mcp-config " +
		"--strict-mcp-config ",
	"codex": " --ask-for-approval=never -a=never --sandbox=danger-full-access -s=danger-full-access --disable " +
		"-c=hooks -c=approval_policy -c=mcp_servers -c=sandbox_mode --config=hooks --profile -p ",
	"gemini":       " -y --approval-mode=yolo ",
	"qwen":         " -y --approval-mode=yolo --bare --safe-mode ",
	"copilot":      " --disable-builtin-mcps --disable-mcp-server --additional-mcp-config ",
	"cursor-agent": " --force -f ",
	"opencode":     " --pure --auto ",
	"aider":        " --yes ",
	"code":         " --add-mcp ",
	"amp":          "", "goose": "", "crush": "", "droid": "", "auggie": "", "kimi": "", "q": "", "kiro-cli": "",
	"cursor": " --add-mcp ", "windsurf": " --add-mcp ", "zed": "",
}

// unaskedWords are parts of options of any agent after which it asks nobody.
var unaskedWords = [...]string{"dangerously", "yolo", "bypass", "skip-permission", "allow-all", "trust-all",
	"auto-approve", "yes-always", "disable-hooks", "no-hooks"}

// packaged are the agents by the names of their packages.
var packaged = map[string]string{"claude-code": "claude", "gemini-cli": "gemini", "qwen-code": "qwen",
	"aider-chat": "aider", "opencode-ai": "opencode"}

// agentOf is the agent that a command starts, also by the name of its package, and its arguments.
func agentOf(program string, args []string) (string, []string) {
	switch program {
	case "npx", "bunx", "pnpx", "uvx", "npm", "pnpm", "yarn", "bun", "pipx", "uv", "node", "deno", "gh":
		for i, arg := range args {
			if strings.HasPrefix(arg, "-") || hasWord(args[i:i+1], "exec", "x", "dlx", "run", "tool") {
				continue
			}
			for part := range strings.SplitSeq(arg, "/") {
				part, _, _ = strings.Cut(part, "@")
				if name := packaged[part]; name != "" {
					return name, args[i+1:]
				}
				if _, known := agentFlags[part]; known && part != "code" && part != "q" {
					return part, args[i+1:]
				}
			}
			return "", nil
		}
	}
	if name := packaged[program]; name != "" {
		return name, args
	}
	if _, known := agentFlags[program]; known {
		return program, args
	}
	return "", nil
}

// unasked reports whether an agent is told not to ask, or to load other settings.
func unasked(agent string, args []string) bool {
	flags := agentFlags[agent]
	for i, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			continue
		}
		name, value, _ := strings.Cut(arg, "=")
		if value == "" && i+1 < len(args) {
			value = args[i+1]
		}
		value, _, _ = strings.Cut(strings.Trim(value, `"'`), "=")
		value, _, _ = strings.Cut(strings.TrimPrefix(value, "features."), ".")
		if strings.Contains(flags, " "+name+" ") || value != "" && strings.Contains(flags, " "+name+"="+value+" ") {
			return true
		}
		for _, part := range unaskedWords {
			if strings.Contains(name, part) {
				return true
			}
		}
	}
	return false
}

// changesServers reports whether a command of an agent changes its servers, hooks or extensions: claude mcp add.
func changesServers(args []string) bool {
	what := ""
	for _, arg := range args {
		switch {
		case strings.HasPrefix(arg, "-"):
		case what != "":
			switch arg {
			case "list", "get", "ls", "show", "status", "help", "doctor", "serve", "view", "search", "login", "logout", "auth":
				return false
			}
			return true
		case hasWord([]string{arg}, "mcp", "plugin", "plugins", "extensions", "extension", "hooks", "config", "settings",
			"features",
			"marketplace", "configure"):
			what = arg
		default:
			return false
		}
	}
	return false
}

// agentVariables begin the names of variables that tell agents where their settings are, and what they load.
var agentVariables = [...]string{"CLAUDE_", "CODEX_", "GEMINI_", "QWEN_", "COPILOT_", "CURSOR_", "OPENCODE_", "GOOSE_",
	"ELICIT_"}

// relocates reports whether a command sets a variable by which an agent finds other settings.
func relocates(c *impact.Command, words []string, program string) bool {
	switch program {
	case "export", "declare", "typeset", "setx", "set", "env":
	default:
		words = words[:len(words)-min(len(words), innerWords(c))]
	}
	for _, text := range append(texts(c.Assigns), words...) {
		name, _, assigned := strings.Cut(text, "=")
		if assigned && (strings.HasSuffix(name, "_HOME") || strings.HasSuffix(name, "_DIR") ||
			strings.HasSuffix(name, "_CONFIG") || strings.HasSuffix(name, "_CONTENT") || strings.HasSuffix(name, "_PATH")) &&
			agentVariable(name) {
			return true
		}
	}
	return false
}

func agentVariable(name string) bool {
	for _, prefix := range agentVariables {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func innerWords(c *impact.Command) int {
	if c.Inner == nil {
		return len(c.Words)
	}
	return len(c.Inner)
}

// outOfPlace reports whether an agent is started as somebody else, or with other variables than those of its person.
func outOfPlace(c *impact.Command, words []string, agent string) bool {
	before := words[:len(words)-min(len(words), innerWords(c))]
	for _, word := range before {
		switch base(word) {
		case "sudo", "su", "doas", "runuser", "-i", "--ignore-environment", "-u", "unshare", "chroot", "nsenter", "setpriv":
			return true
		}
	}
	for _, text := range append(texts(c.Assigns), before...) {
		name, _, assigned := strings.Cut(text, "=")
		if assigned && (agentVariable(name) && !strings.HasSuffix(name, "_API_KEY") && !strings.HasSuffix(name, "_MODEL") ||
			hijacks.Has(name)) {
			return true
		}
	}
	return false
}

// hijacks are variables that give a program other code or another home.
var hijacks = Words("HOME USERPROFILE APPDATA XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR LD_PRELOAD LD_AUDIT " +
	"LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES NODE_OPTIONS BASH_ENV PATH TMPDIR")
