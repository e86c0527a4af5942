package clientconfig

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Server is one server in a file.
type Server struct {
	Key     string   // its name in the file
	Project string   // the project it belongs to, for a client that keeps all projects in one file; else ""
	Command string   // as the client would start it; for a wrapped server that of the proxy
	Args    []string // without those that are no text
	URL     string   // of a server that is reached over HTTP

	// Wrapped reports whether Command starts `elicit proxy`. Inner is the command that the proxy starts. Ours reports
	// whether the command and its arguments are such as Wrap writes, so that Unwrap can take them away. ByHand reports
	// whether the command is a name without a path, which Wrap never writes: somebody put the proxy there.
	Wrapped, Ours, ByHand bool
	Inner                 string

	// Why says why the server cannot be wrapped; "" when it can.
	Why string

	command, args *member
	node          *node
	path          []string
}

// complaint makes the error for an offset of the document.
type complaint func(offset int, format string, args ...any) error

// find lists the servers in a tree, in the order of the file. Each path leads to a table of servers; "*" stands for
// every member.
func find(root *node, paths [][]string, problem complaint) ([]*Server, error) {
	var found []*Server
	var walk func(n *node, path, been []string) error
	walk = func(n *node, path, been []string) error {
		if n.kind != table {
			if len(been) > 0 && n.kind == other && (n.text == "" || n.text == "null") {
				return nil // a key without a value holds no server
			}
			return problem(n.start, "%s is not a table", nameOf(been))
		}
		if again := n.duplicate(); again != nil {
			return problem(again.at, "%q is here twice, and readers differ about which one counts", again.key)
		}
		if len(path) == 0 {
			for i := range n.members {
				s, err := read(&n.members[i], been, problem)
				if err != nil {
					return err
				}
				found = append(found, s)
			}
			return nil
		}
		for i := range n.members {
			m := &n.members[i]
			if m.key != path[0] && path[0] != "*" {
				continue
			}
			if path[0] == "*" && m.value.kind != table {
				continue
			}
			if err := walk(m.value, path[1:], append(slices.Clone(been), m.key)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, path := range paths {
		if err := walk(root, path, nil); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// read reads one server. Only its own members count; what else a client allows there stays as it is.
func read(m *member, been []string, problem complaint) (*Server, error) {
	s := &Server{Key: m.key, node: m.value, path: append(slices.Clone(been), m.key)}
	if len(been) == 3 && been[0] == "projects" {
		s.Project = been[1]
	}
	n := m.value
	if n.kind != table {
		s.Why = "its entry is not a table"
		return s, nil
	}
	if again := n.duplicate(); again != nil {
		return nil, problem(again.at, "%q is here twice, and readers differ about which one counts", again.key)
	}
	for _, key := range []string{"url", "httpUrl", "serverUrl", "uri"} {
		if s.URL == "" {
			s.URL = n.textOf(key)
		}
	}
	in := n
	if s.command = n.get("command"); s.command == nil {
		s.command = n.get("cmd")
	} else if s.command.value.kind == table { // an older form of Zed
		in = s.command.value
		if again := in.duplicate(); again != nil {
			return nil, problem(again.at, "%q is here twice, and readers differ about which one counts", again.key)
		}
		s.command = in.get("path")
	}
	s.args = in.get("args")
	s.Why = s.whyNot(n)
	if s.command != nil && s.command.value.kind == text {
		s.Command = s.command.value.text
	}
	if s.Why == "" {
		s.seeArgs()
	}
	return s, nil
}

// whyNot says why a server cannot be wrapped.
func (s *Server) whyNot(n *node) string {
	kindOf := strings.ToLower(strings.ReplaceAll(n.textOf("type"), "_", "-"))
	switch {
	case strings.Contains(kindOf, "http") || kindOf == "sse" || kindOf == "ws" || s.command == nil && s.URL != "":
		return "it is reached over the network, and elicit proxy starts a program"
	case kindOf == "builtin" || kindOf == "platform" || kindOf == "frontend" || kindOf == "inline-python":
		return "it is a part of the client, not a program of its own"
	case s.command == nil:
		return "it has no command; an extension of the client may start it"
	case s.command.value.kind != text:
		return "its command is not a text on one line, so it has to be changed by hand"
	case s.command.value.text == "":
		return "its command is empty"
	case s.args != nil && s.args.value.kind != list:
		return "its arguments are not a list, so they have to be changed by hand"
	}
	return ""
}

// seeArgs reads the arguments, and whether they are those of a proxy.
func (s *Server) seeArgs() {
	var items []*node
	if s.args != nil {
		items = s.args.value.items
	}
	for _, item := range items {
		if item.kind == text {
			s.Args = append(s.Args, item.text)
		}
	}
	if len(items) == 0 || items[0].text != "proxy" {
		return
	}
	if i := slices.Index(s.Args, "--"); i >= 0 && i+1 < len(s.Args) {
		s.Inner = s.Args[i+1]
	}
	s.ByHand = !strings.ContainsAny(s.Command, `/\`)
	ours := proxyArgs(s.Key, s.Inner)
	s.Ours = s.Inner != "" && len(items) >= len(ours)
	for i := range ours {
		s.Ours = s.Ours && items[i].kind == text && items[i].text == ours[i]
	}
	// The program may have any name. Arguments that nobody else writes say enough.
	program := strings.ToLower(s.Command[strings.LastIndexAny(s.Command, `/\`)+1:])
	s.Wrapped = s.Ours || strings.TrimSuffix(program, ".exe") == "elicit"
	s.Ours = s.Ours && !s.ByHand
	s.ByHand = s.ByHand && s.Wrapped
}

// proxyArgs are the arguments that Wrap puts before those of the server.
func proxyArgs(name, command string) []string {
	return []string{"proxy", "--name", name, "--", command}
}

// Line is the command with its arguments, for people. It is not for a shell.
func (s *Server) Line() string {
	if s.Command == "" {
		return s.URL
	}
	return strings.Join(append([]string{s.Command}, s.Args...), " ")
}

// Title is the name of the server, with its project.
func (s *Server) Title() string {
	if s.Project == "" {
		return s.Key
	}
	return fmt.Sprintf("%s (project %s)", s.Key, filepath.Base(s.Project))
}

// nameOf names the value at a path.
func nameOf(path []string) string {
	if len(path) == 0 {
		return "the whole file"
	}
	return strings.Join(path, ".")
}
