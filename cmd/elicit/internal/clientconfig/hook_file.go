package clientconfig

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// HookFile is the file in which a host looks for command hooks. It may be missing.
type HookFile struct {
	Host    string // as `elicit hook` names it
	Title   string
	Path    string
	Project bool // in the directory of a project, where others may share it
}

// hookPlace is the file of one host.
type hookPlace struct {
	host, title string
	dir         func(Env) string // nil for a project
	name        string
}

// hookPlaces says where hosts look for hooks, and which directory shows that the host is there. Each file is a JSON
// object {"hooks": {EVENT: [ENTRY]}}, or a plugin.
var hookPlaces = []hookPlace{
	{"claude-code", "Claude Code", orHome("CLAUDE_CONFIG_DIR", ".claude"), "settings.json"},
	{"codex", "Codex", orHome("CODEX_HOME", ".codex"), "hooks.json"},
	{"cursor", "Cursor", func(e Env) string { return filepath.Join(e.Home, ".cursor") }, "hooks.json"},
	{"copilot", "Copilot CLI", func(e Env) string { return filepath.Join(e.Home, ".copilot") }, "hooks/elicit.json"},
	{"vscode", "VS Code", nil, ".github/hooks/elicit.json"},
	{"gemini", "Gemini CLI", func(e Env) string { return filepath.Join(e.Home, ".gemini") }, "settings.json"},
	{"qwen", "Qwen Code", func(e Env) string { return filepath.Join(e.Home, ".qwen") }, "settings.json"},
	{"opencode", "opencode", func(e Env) string { return filepath.Join(xdg(e), "opencode") }, "plugin/elicit.js"},
}

// UsualHookFile is the file of a host as people write it, where no variable names another directory.
func UsualHookFile(host string) string {
	p := hookPlaces[slices.IndexFunc(hookPlaces, func(p hookPlace) bool { return p.host == host })]
	if p.dir == nil {
		return p.name
	}
	return path.Join(filepath.ToSlash(p.dir(Env{Home: "~", Get: func(string) string { return "" }})), p.name)
}

// FindHooks lists the files of the hosts that are there: those whose directory exists, and VS Code in a project.
func FindHooks(e Env) (found []HookFile) {
	for _, p := range hookPlaces {
		if p.dir == nil {
			if dirs := projectDirs(e); len(dirs) > 0 {
				found = append(found, HookFile{p.host, p.title, filepath.Join(dirs[len(dirs)-1], filepath.FromSlash(p.name)), true})
			}
			continue
		}
		dir := p.dir(e)
		if at, err := os.Stat(dir); filepath.IsAbs(dir) && err == nil && at.IsDir() {
			found = append(found, HookFile{p.host, p.title, filepath.Join(dir, filepath.FromSlash(p.name)), false})
		}
	}
	return found
}

// HookDoc is a file of hooks that was read.
type HookDoc struct {
	File   HookFile
	Exists bool
	Hooks  []Hook // ours

	onDisk
	root *node // nil for an empty file
}

// Hook is an entry that runs `elicit hook`.
type Hook struct {
	Event, Command string
	index          int // in the list of the event
}

// ReadHooks reads a file, which may be missing. It follows a symbolic link, as the hosts do.
func ReadHooks(f HookFile) (*HookDoc, error) {
	at, err := readRegular(f.Path, maxOther)
	if errors.Is(err, fs.ErrNotExist) {
		if at, lerr := os.Lstat(f.Path); lerr == nil && at.Mode()&fs.ModeSymlink != 0 {
			return nil, &Problem{Path: f.Path, Text: "this is a symbolic link to a missing file"}
		}
		return &HookDoc{File: f, onDisk: onDisk{path: f.Path, target: f.Path}}, nil
	}
	if err != nil {
		return nil, err
	}
	d, err := parseHooks(f, at.text)
	if err != nil {
		return nil, err
	}
	d.onDisk = at
	return d, nil
}

// parseHooks reads a document. An empty one has no hooks.
func parseHooks(f HookFile, text []byte) (*HookDoc, error) {
	d := &HookDoc{File: f, Exists: true, onDisk: onDisk{text: text}}
	if len(bytes.TrimSpace(text)) == 0 {
		return d, nil
	}
	if f.isPlugin() {
		return parsePlugin(d)
	}
	var err error
	if d.root, err = readJSON(text, true); err != nil {
		var p *Problem
		if errors.As(err, &p) {
			p.Path = f.Path
		}
		return nil, err
	}
	if d.root.kind != table {
		return nil, d.problem(d.root.start, "the whole file is not a table")
	}
	hooks, err := d.hooks()
	if err != nil || hooks == nil {
		return d, err
	}
	if twice := hooks.duplicate(); twice != nil {
		return nil, d.problem(twice.at, "%q is here twice", twice.key)
	}
	for _, event := range hooks.members {
		for n, entry := range event.value.items {
			if command := ownCommand(f.Host, entry); command != "" {
				d.Hooks = append(d.Hooks, Hook{event.key, command, n})
			}
		}
	}
	return d, nil
}

func (d *HookDoc) problem(offset int, format string, args ...any) error {
	p := at(d.text, offset, format, args...)
	p.Path = d.File.Path
	return p
}

// hooks returns the table of hooks, nil when it is missing.
func (d *HookDoc) hooks() (*node, error) {
	m := d.root.get("hooks")
	switch {
	case m == nil:
		return nil, nil
	case m != &d.root.members[d.root.index("hooks")]:
		return nil, d.problem(m.at, "%q is here twice", m.key)
	case m.value.kind != table:
		return nil, d.problem(m.value.start, "hooks is not a table")
	}
	return m.value, nil
}

// Same reports whether two documents are equal.
func (d *HookDoc) Same(other *HookDoc) bool {
	return d.Exists == other.Exists && bytes.Equal(d.text, other.text)
}

// Diff lists the lines that a change replaces.
func (d *HookDoc) Diff(next *HookDoc) []Hunk {
	return d.diff(next.text, nil)
}
