package clientconfig

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Client is a program that starts MCP servers.
type Client struct {
	ID    string // for --client
	Title string
	files []place
}

// File is a configuration file that exists.
type File struct {
	Client  *Client
	Path    string
	Project bool // in the directory of a project, where others may share it

	shape *shape
}

// shape is how a file holds servers.
type shape struct {
	name   string
	format format
	paths  [][]string // to each table of servers; "*" stands for every member
}

// The shapes of files. Records of installed files have their names.
var (
	mcpServers     = &shape{"mcpServers", jsonFormat{}, [][]string{{"mcpServers"}}}
	claudeCode     = &shape{"claude-code", jsonFormat{}, [][]string{{"mcpServers"}, {"projects", "*", "mcpServers"}}}
	vscode         = &shape{"servers", jsonFormat{}, [][]string{{"servers"}}}
	vscodeSettings = &shape{"mcp.servers", jsonFormat{}, [][]string{{"mcp", "servers"}}}
	zed            = &shape{"context_servers", jsonFormat{}, [][]string{{"context_servers"}}}
	codex          = &shape{"mcp_servers", tomlFormat{}, [][]string{{"mcp_servers"}}}
	goose          = &shape{"extensions", yamlFormat{}, [][]string{{"extensions"}}}

	shapes = []*shape{mcpServers, claudeCode, vscode, vscodeSettings, zed, codex, goose}
)

// place is where a client may have a file. Patterns are those of filepath.Glob, below the directory that dir returns;
// dir is nil for a file in a project.
type place struct {
	dir     func(Env) string
	pattern string
	shape   *shape
}

// Env is what the places of files depend on.
type Env struct {
	System string // as runtime.GOOS
	Home   string
	Dir    string // the working directory
	Get    func(string) string
}

func home(e Env) string { return e.Home }

// config is the directory for configuration: ~/.config, ~/Library/Application Support or %AppData%.
func config(e Env) string {
	if e.System == "darwin" {
		return filepath.Join(e.Home, "Library", "Application Support")
	}
	return xdg(e)
}

// xdg is ~/.config also on macOS, for clients that use it there.
func xdg(e Env) string {
	switch dir := e.Get("XDG_CONFIG_HOME"); {
	case e.System == "windows":
		return e.Get("AppData")
	case filepath.IsAbs(dir):
		return dir
	}
	return filepath.Join(e.Home, ".config")
}

// orHome is the directory in an environment variable, or a directory in the home directory.
func orHome(variable, name string) func(Env) string {
	return func(e Env) string {
		if dir := e.Get(variable); dir != "" {
			return dir
		}
		return filepath.Join(e.Home, name)
	}
}

// inXDG is a directory in ~/.config, or on Windows another one in %AppData%.
func inXDG(name, onWindows string) func(Env) string {
	return func(e Env) string {
		if e.System == "windows" {
			return filepath.Join(xdg(e), filepath.FromSlash(onWindows))
		}
		return filepath.Join(xdg(e), name)
	}
}

// Clients returns the clients whose files are known, in the order in which they are listed.
func Clients() []*Client { return clients }

var clients = []*Client{
	{"claude-code", "Claude Code", []place{
		{orHome("CLAUDE_CONFIG_DIR", ""), ".claude.json", claudeCode},
		{nil, ".mcp.json", mcpServers},
	}},
	{"claude-desktop", "Claude Desktop", []place{{config, "Claude/claude_desktop_config.json", mcpServers}}},
	{"codex", "Codex", []place{
		{orHome("CODEX_HOME", ".codex"), "config.toml", codex},
		{nil, ".codex/config.toml", codex},
	}},
	{"cursor", "Cursor", []place{{home, ".cursor/mcp.json", mcpServers}, {nil, ".cursor/mcp.json", mcpServers}}},
	{"vscode", "VS Code", []place{
		{config, "Code/User/mcp.json", vscode},
		{config, "Code/User/profiles/*/mcp.json", vscode},
		{config, "Code/User/settings.json", vscodeSettings},
		{config, "Code - Insiders/User/mcp.json", vscode},
		{config, "Code - Insiders/User/profiles/*/mcp.json", vscode},
		{config, "VSCodium/User/mcp.json", vscode},
		{nil, ".vscode/mcp.json", vscode},
	}},
	{"gemini", "Gemini CLI", []place{
		{home, ".gemini/settings.json", mcpServers},
		{nil, ".gemini/settings.json", mcpServers},
	}},
	{"zed", "Zed", []place{{inXDG("zed", "Zed"), "settings.json", zed}, {nil, ".zed/settings.json", zed}}},
	{"goose", "Goose", []place{{inXDG("goose", "Block/goose/config"), "config.yaml", goose}}},
	{"jetbrains", "JetBrains (Junie, Copilot)", []place{
		{home, ".junie/mcp/mcp.json", mcpServers},
		{nil, ".junie/mcp/mcp.json", mcpServers},
		{xdg, "github-copilot/intellij/mcp.json", vscode},
	}},
	{"windsurf", "Windsurf", []place{{home, ".codeium/windsurf/mcp_config.json", mcpServers}}},
}

// Find lists the files that exist: those of the user, and those of the project that the working directory is in.
func Find(e Env) []File {
	var found []File
	projects := projectDirs(e)
	for _, c := range clients {
		for _, p := range c.files {
			dirs := projects
			if p.dir != nil {
				dirs = []string{p.dir(e)}
			}
			for _, dir := range dirs {
				if dir == "" || !filepath.IsAbs(dir) {
					continue
				}
				for _, path := range existing(dir, p.pattern) {
					found = append(found, File{c, path, p.dir == nil, p.shape})
				}
			}
		}
	}
	return found
}

// existing lists the files that fit a pattern below a directory, whose own name is no pattern.
func existing(dir, pattern string) (paths []string) {
	names, err := fs.Glob(os.DirFS(dir), pattern)
	if err != nil {
		return nil
	}
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if at, err := os.Stat(path); err == nil && !at.IsDir() {
			paths = append(paths, path)
		}
	}
	return paths
}

// projectDirs are the working directory and those above it, up to the one that holds the repository. Without a
// repository it is the working directory alone. The home directory is no project.
func projectDirs(e Env) (dirs []string) {
	for dir := e.Dir; dir != "" && dir != e.Home; dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dirs
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return dirs[:min(1, len(dirs))]
}
