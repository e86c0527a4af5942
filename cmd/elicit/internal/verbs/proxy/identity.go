package proxy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/engine/risk"
)

// maxIdentity is the most bytes that the engine takes as an identity.
const maxIdentity = 1024

// identity names the server that a command starts. The engine binds a grant that holds always to it. The text is the
// path of the program, then all arguments as a JSON array. When the path is a symbolic link, an arrow and the target's
// path follow. An argument that names a file in the working directory is written with its full path, because
// `node server.js` is another server in another directory. The text ends with a JSON array or string, so two different
// commands never have the same identity.
//
// A SHA-256 digest replaces arguments that are too long or look like a secret, because the journal and the file of
// grants keep the identity. The result is "" when there is no such program.
func identity(command []string) string {
	if len(command) == 0 {
		return ""
	}
	program, err := exec.LookPath(command[0])
	if err == nil {
		program, err = filepath.Abs(program)
	}
	if err != nil {
		return ""
	}
	arguments := each.Of(command[1:], fullPath)
	file, err := filepath.EvalSymlinks(program)
	if err != nil {
		file = program
	}
	list := cli.JSONStrings(arguments)
	text := program + " " + list
	if file != program {
		text += " -> " + cli.Quoted(file)
	}
	all := append([]string{program, file}, arguments...)
	if len(text) <= maxIdentity && utf8.ValidString(strings.Join(all, "")) && !looksSecret(list) {
		return text
	}
	if text := program + " sha256:" + digestOf(all); len(text) <= maxIdentity && utf8.ValidString(program) {
		return text
	}
	return "sha256:" + digestOf(all)
}

// fullPath returns an argument, with its full path when it names something in the working directory.
func fullPath(argument string) string {
	if argument == "" || argument[0] == '-' {
		return argument
	}
	if _, err := os.Lstat(argument); err != nil {
		return argument
	}
	path, err := filepath.Abs(argument)
	if err != nil {
		return argument
	}
	return path
}

var namesSecret = regexp.MustCompile(`(?i)token|secret|passw|pwd|credential|bearer|api.?key|://[^/"]*@`)

// looksSecret reports whether arguments, a JSON array, look as if they hold a secret, which must not be stored.
func looksSecret(list string) bool {
	return namesSecret.MatchString(list) || len(risk.InspectAnswer(nil, []byte(`{"arguments":`+list+`}`))) > 0
}

// digestOf returns the SHA-256 of all texts in hex. Each text has its length before it, so that no two lists of texts
// give the same bytes.
func digestOf(all []string) string {
	sum := sha256.New()
	for _, text := range all {
		fmt.Fprintf(sum, "%d:%s", len(text), text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
