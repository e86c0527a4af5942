package hooks

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// searches are tools of hosts that read or list below a directory, without case and underscores. Their arguments name
// it, or it is the directory of the call.
var searches = []string{"grep", "glob", "ls", "list", "rg", "listdirectory", "listdir", "grepsearch",
	"searchfilecontent", "readmanyfiles"}

// notes are tools by which a model writes down what it plans, or looks at a command that runs. They touch no file. A
// tool that ends a plan is none of them: a yes to it is a yes to the plan.
var notes = []string{"todowrite", "todoread", "writetodos", "updatetodo", "updateplan", "reportintent", "completetask",
	"taskcreate", "taskget", "tasklist", "taskupdate", "bashoutput", "taskoutput", "readbash", "listbash", "killshell",
	"killbash", "stopbash", "taskstop"}

// placeWords are names of members with the path of a file or a directory, in all hosts and their versions.
var placeWords = []string{"path", "filepath", "absolutepath", "dirpath", "directory", "targetfile", "targetnotebook",
	"notebookpath", "relativeworkspacepath", "targetdirectory", "filename", "paths", "include", "files", "filepaths"}

// folded is a name without case and underscores.
func folded(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// places lists the paths in the arguments of a host's own tool, by every name that hosts have for them.
//
// A member counts by its folded name, so file_path, filePath and FilePath are one.
func places(input wire.Object) (list []string) {
	for _, m := range input.Members {
		if !slices.Contains(placeWords, folded(m.Name)) {
			continue
		}
		if text, is := wire.Text(input.Get(m.Name)); is {
			list = append(list, text)
		}
		texts, _ := wire.Texts(input.Get(m.Name), limits.Members)
		list = append(list, texts...)
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// searched says what a tool that searches reads: all below its places, and the files of a name that it looks for.
//
// Example: path /w/src with glob *.go reads /w/src/ and /w/src/*.go. A rule about the directory and a rule about names
// both see it. A trailing slash means all that is below.
func searched(q *elicit.Request, input wire.Object) {
	list := places(input)
	pattern, _ := wire.Text(input.Get("pattern"))
	if strings.HasPrefix(pattern, "/") && strings.Contains(folded(q.Tool), "glob") {
		list = append(list, pattern)
	}
	if len(list) == 0 && q.Cwd != "" {
		list = []string{q.Cwd}
	}
	glob, _ := wire.Text(input.Get("glob"))
	for _, place := range list {
		names := glob
		if at := strings.IndexAny(place, "*?["); at >= 0 { // a pattern of files
			names, place = place, place[:strings.LastIndexByte(place[:at], '/')+1]
		}
		place = strings.TrimSuffix(pathIn(q.Cwd, place), "/")
		q.AddPath(place + "/")
		if names != "" {
			q.AddPath(place + "/" + names[strings.LastIndexByte(names, '/')+1:])
		}
	}
	q.Annotations = reads
}

// shellDirectories are the names that hosts have for the directory of a command.
var shellDirectories = []string{"directory", "dirpath", "workdir", "workingdir", "workingdirectory", "cwd"}

// elsewhere reports whether the arguments of a shell name a directory that this host is not known to obey.
//
// A member that is no text may name any directory.
func elsewhere(input wire.Object, known string) bool {
	for _, m := range input.Members {
		text, is := wire.Text(input.Get(m.Name))
		if slices.Contains(shellDirectories, folded(m.Name)) && (!is || text != "" && text != known) {
			return true
		}
	}
	return false
}

// unboxings are the members by which hosts let a command leave their sandbox, or reach more from within: of Claude
// Code, of Codex and its older versions, of VS Code, of Cursor.
var unboxings = []string{"dangerouslydisablesandbox", "sandboxpermissions", "withescalatedpermissions",
	"additionalpermissions", "requestunsandboxedexecution", "requestallownetwork", "requiredpermissions"}

// unboxed reports whether the arguments of a shell ask for that. Any value does that is not known to say no.
//
// Examples: {"sandbox_permissions":"require_escalated"} and {"dangerouslyDisableSandbox":true} do. The value is
// compared as spelled.
func unboxed(input wire.Object) bool {
	for _, m := range input.Members {
		if slices.Contains(unboxings, folded(m.Name)) {
			switch strings.TrimSpace(string(input.Get(m.Name))) {
			case "false", "null", `""`, "[]", "{}", `"use_default"`:
			default:
				return true
			}
		}
	}
	return false
}
