package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
)

func addDataFlag(cmd *cobra.Command, path *string, usage string) {
	cmd.Flags().StringVar(path, "data", "", usage)
	_ = cmd.MarkFlagFilename("data")
}

// readData reads a data document. A digest that is not "" pins it.
func readData(cmd *cobra.Command, path, pinned string) (doc document, digest string, err error) {
	if doc, err = readRegular(cmd, path); err != nil {
		return doc, "", err
	}
	if len(doc.text) > guardian.MaxData {
		printModuleProblems(cmd, doc.name, []elicit.Problem{guardian.DataTooLarge(len(doc.text))})
		return doc, "", errInvalid
	}
	if digest = guardian.Digest(doc.text); pinned != "" && pinned != digest {
		return doc, "", exitWith(exitInvalid, fmt.Errorf(
			"%s is not the data document that the permit pins: its digest is %s", doc.name, digest))

	}
	return doc, digest, nil
}

// resolvePath returns the path of a file that a document names. A relative path starts at the document's directory.
func resolvePath(doc, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(doc), path)
}

// keepData gives the shelf the data document that a permit names by its path. It returns its digest, "" for none.
func (g *guardians) keepData(cmd *cobra.Command, file string, permit gjson.Result) (digest string, err error) {
	path := permit.Get("data")
	if !path.Exists() {
		return "", nil
	}
	if path.Type != gjson.String {
		return "", exitWith(exitInvalid, fmt.Errorf("%s: \"data\" is the path of a data document", file))
	}
	at := resolvePath(file, path.Str)
	g.willRead(at)
	doc, digest, err := readData(cmd, at, permit.Get("data_digest").String())
	if err != nil {
		return "", err
	}
	if _, problems := g.modules.Keep(doc.text); len(problems) > 0 {
		printModuleProblems(cmd, doc.name, problems)
		return "", errInvalid
	}
	return digest, nil
}

// withData returns a permit with the digest of its data document, "" for none, instead of the document's path.
func withData(permit []byte, digest string) []byte {
	v := gjson.ParseBytes(permit)
	if v.Get("data").Exists() && !v.Get("data_digest").Exists() && digest != "" {
		permit = appendObject(nil, append(membersOf(v, "data"), elicit.Str("data_digest", digest)))
	}
	return withoutMember(gjson.ParseBytes(permit), "data")
}
