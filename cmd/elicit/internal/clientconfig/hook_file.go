package clientconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tailscale/hujson"
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
// object {"hooks": {EVENT: [ENTRY]}}, or a plugin. hookFiles of the verb `hook` shows the same places to a person.
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

	text   []byte
	root   hujson.Value
	edits  []edit
	target string
	info   fs.FileInfo
}

// Hook is an entry that runs `elicit hook`.
type Hook struct {
	Event, Command string
	index          int // in the list of the event
}

// ReadHooks reads a file, which may be missing. It follows a symbolic link, as the hosts do.
func ReadHooks(f HookFile) (*HookDoc, error) {
	text, target, info, err := readRegular(f.Path, maxOther)
	if errors.Is(err, fs.ErrNotExist) {
		if at, lerr := os.Lstat(f.Path); lerr == nil && at.Mode()&fs.ModeSymlink != 0 {
			return nil, &Problem{Path: f.Path, Text: "this is a symbolic link to a missing file"}
		}
		return &HookDoc{File: f, target: f.Path}, nil
	}
	if err != nil {
		return nil, err
	}
	d, err := parseHooks(f, text)
	if err != nil {
		return nil, err
	}
	d.target, d.info = target, info
	return d, nil
}

// parseHooks reads a document. An empty one has no hooks.
func parseHooks(f HookFile, text []byte) (*HookDoc, error) {
	d := &HookDoc{File: f, Exists: true, text: text}
	if len(bytes.TrimSpace(text)) == 0 {
		return d, nil
	}
	if f.isPlugin() {
		return parsePlugin(d)
	}
	problem := func(p *Problem) error { p.Path = f.Path; return p }
	if offset := tooDeep(text); offset >= 0 {
		return nil, problem(at(text, offset, "more than %d objects and lists are nested here", maxDepth))
	}
	var err error
	if d.root, err = hujson.Parse(text); err != nil {
		var p *Problem
		if errors.As(jsonProblem(err), &p) {
			return nil, problem(p)
		}
		return nil, err
	}
	root, ok := d.root.Value.(*hujson.Object)
	if !ok {
		return nil, problem(at(text, d.root.StartOffset, "the whole file is not a table"))
	}
	hooks, err := objectAt(root, "hooks")
	if err != nil || hooks == nil {
		return d, wrapped(f, text, err)
	}
	for i := range hooks.Members {
		event, _ := hooks.Members[i].Name.Value.(hujson.Literal)
		if hasTwice(hooks, event.String()) {
			return nil, problem(at(text, hooks.Members[i].Name.StartOffset, "%q is here twice", event.String()))
		}
		list, ok := hooks.Members[i].Value.Value.(*hujson.Array)
		if !ok {
			continue
		}
		for n := range list.Elements {
			if command := ownCommand(f.Host, &list.Elements[n]); command != "" {
				d.Hooks = append(d.Hooks, Hook{event.String(), command, n})
			}
		}
	}
	return d, nil
}

// misplaced is an error at an offset.
type misplaced struct {
	offset int
	text   string
}

func (m misplaced) Error() string { return m.text }

func wrapped(f HookFile, text []byte, err error) error {
	var m misplaced
	if !errors.As(err, &m) {
		return err
	}
	p := at(text, m.offset, "%s", m.text)
	p.Path = f.Path
	return p
}

// objectAt returns the table of that name in a table, nil when it is missing.
func objectAt(o *hujson.Object, name string) (*hujson.Object, error) {
	m := memberAt(o, name)
	switch {
	case m == nil:
		return nil, nil
	case hasTwice(o, name):
		return nil, misplaced{m.Name.StartOffset, fmt.Sprintf("%q is here twice", name)}
	}
	in, ok := m.Value.Value.(*hujson.Object)
	if !ok {
		return nil, misplaced{m.Value.StartOffset, name + " is not a table"}
	}
	return in, nil
}

func memberAt(o *hujson.Object, name string) *hujson.ObjectMember {
	for i := range o.Members {
		if key, ok := o.Members[i].Name.Value.(hujson.Literal); ok && key.String() == name {
			return &o.Members[i]
		}
	}
	return nil
}

func hasTwice(o *hujson.Object, name string) bool {
	n := 0
	for i := range o.Members {
		if key, ok := o.Members[i].Name.Value.(hujson.Literal); ok && key.String() == name {
			n++
		}
	}
	return n > 1
}

// plainJSON is a value without comments, as encoding/json reads it.
func plainJSON(v *hujson.Value) (out any) {
	clean := v.Clone()
	clean.Standardize()
	if json.Unmarshal(clean.Pack(), &out) != nil {
		return nil
	}
	return out
}

// Same reports whether two documents are equal.
func (d *HookDoc) Same(other *HookDoc) bool {
	return d.Exists == other.Exists && bytes.Equal(d.text, other.text)
}

// Diff lists the lines that a change replaces.
func (d *HookDoc) Diff(next *HookDoc) []Hunk {
	return (&Doc{text: d.text}).Diff(&Doc{text: next.text, edits: slices.Clone(next.edits)})
}
