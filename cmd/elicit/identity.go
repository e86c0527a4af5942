package main

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

	"github.com/elicit-engine/elicit/engine/risk"
)

// maxIdentity is how many bytes the engine takes for an identity.
const maxIdentity = 1024

// identity says what server a command starts, for grants that hold always: the path of the program, all arguments as a
// JSON array, and after an arrow the file that the path leads to, when the path is a link. An argument that names a
// file in the working directory is written with its full path, because `node server.js` is another server in another
// directory. The text ends with a JSON array or string, so two commands never have one identity.
//
// Arguments that are too long or look like a secret are replaced by a digest, because the journal and the file of
// grants keep the identity. The result is "" when there is no such program.
func identity(command []string) string {
	program, err := exec.LookPath(command[0])
	if err == nil {
		program, err = filepath.Abs(program)
	}
	if err != nil {
		return ""
	}
	var arguments []string
	for _, argument := range command[1:] {
		arguments = append(arguments, inFull(argument))
	}
	file, err := filepath.EvalSymlinks(program)
	if err != nil {
		file = program
	}
	list := texts(arguments)
	text := program + " " + list
	if file != program {
		text += " -> " + quoted(file)
	}
	all := append([]string{program, file}, arguments...)
	if len(text) <= maxIdentity && utf8.ValidString(strings.Join(all, "")) && !secretive(list) {
		return text
	}
	if text := program + " sha256:" + digestOf(all); len(text) <= maxIdentity && utf8.ValidString(program) {
		return text
	}
	return "sha256:" + digestOf(all)
}

// inFull is an argument, with its full path when it names something in the working directory.
func inFull(argument string) string {
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

// texts is a list as a JSON array of strings.
func texts(list []string) string {
	all := make([]string, len(list))
	for i, text := range list {
		all[i] = quoted(text)
	}
	return "[" + strings.Join(all, ",") + "]"
}

var namesSecret = regexp.MustCompile(`(?i)token|secret|passw|pwd|credential|bearer|api.?key|://[^/"]*@`)

// secretive reports whether arguments should not be kept in the clear.
func secretive(list string) bool {
	return namesSecret.MatchString(list) || len(risk.InspectAnswer(nil, []byte(`{"arguments":`+list+`}`))) > 0
}

// digestOf is SHA-256 over the bytes of every text, each with its length before it.
func digestOf(all []string) string {
	sum := sha256.New()
	for _, text := range all {
		fmt.Fprintf(sum, "%d:%s", len(text), text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
