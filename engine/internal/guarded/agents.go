package guarded

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/impact"
)

// agentFlags are the agents, and the options after which they ask nobody or load other settings. A row is a text with a
// blank before and behind each entry. "--flag" alone is an option whatever its value is. "--flag=value" is one with
// that value, given with "=" or as the next word. An empty row is an agent whose options are not known here:
// unaskedWords still hold for it.
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

// unaskedWords are parts of options of any agent after which it asks nobody. --dangerously-skip-permissions, --yolo and
// the like have other names in each agent, and more come with each version.
var unaskedWords = [...]string{"dangerously", "yolo", "bypass", "skip-permission", "allow-all", "trust-all",
	"auto-approve", "yes-always", "disable-hooks", "no-hooks"}

// packaged are the agents by the names of their packages. npx @anthropic-ai/claude-code is claude.
var packaged = map[string]string{"claude-code": "claude", "gemini-cli": "gemini", "qwen-code": "qwen",
	"aider-chat": "aider", "opencode-ai": "opencode"}

// agentOf is the agent that a command starts, also by the name of its package, and its arguments.
func agentOf(program string, args []string) (string, []string) {
	switch program {
	case "npx", "bunx", "pnpx", "uvx", "npm", "pnpm", "yarn", "bun", "pipx", "uv", "node", "deno", "gh":
		// npx -y claude-code@1 x: options and verbs such as exec and dlx stand before the name.
		for i, arg := range args {
			if strings.HasPrefix(arg, "-") || hasWord(args[i:i+1], "exec", "x", "dlx", "run", "tool") {
				continue
			}
			for part := range strings.SplitSeq(arg, "/") {
				part, _, _ = strings.Cut(part, "@")
				if name := packaged[part]; name != "" {
					return name, args[i+1:]
				}
				// "code" and "q" are ordinary names of directories and packages.
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
		// codex -c hooks.x=1 and --config=features.hooks=false: the value is a setting, of which the first name counts.
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

// changesServers reports whether a command of an agent changes its servers, hooks or extensions: claude mcp add. claude
// mcp list changes nothing. An unknown word after mcp does, as far as anybody here can tell.
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

// agentVariables begin the names of variables that tell agents where their settings are, and what they load. In
// relocates only those count that name a place or a content, such as CLAUDE_CONFIG_DIR. Directly before an agent each
// of them counts, but for keys and models (outOfPlace).
var agentVariables = [...]string{"CLAUDE_", "CODEX_", "GEMINI_", "QWEN_", "COPILOT_", "CURSOR_", "OPENCODE_", "GOOSE_",
	"ELICIT_"}

// relocates reports whether a command sets a variable by which an agent finds other settings. CLAUDE_CONFIG_DIR=/tmp/x
// claude starts an agent without the hooks and servers of its person. Only assignments before the inner command count,
// and those of export and the like.
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

// innerWords is how many words the command has without those before it: in sudo -u x codex, the one of codex.
func innerWords(c *impact.Command) int {
	if c.Inner == nil {
		return len(c.Words)
	}
	return len(c.Inner)
}

// outOfPlace reports whether an agent is started as somebody else, or with other variables than those of its person.
// sudo codex has the settings of root, and env -i codex has none. A key or a model in a variable changes no settings.
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

// hijacks are variables that give a program other code or another home. LD_PRELOAD puts a library into the agent. PATH
// gives it another program in the place of a hook. HOME is where it finds its settings.
var hijacks = Words("HOME USERPROFILE APPDATA XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR LD_PRELOAD LD_AUDIT " +
	"LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES NODE_OPTIONS BASH_ENV PATH TMPDIR")
