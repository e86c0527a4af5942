package rules

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
)

// WithModule returns a permit with the digest and the declaration of its module instead of the module's path. Members
// that the permit has itself stay as they are.
func WithModule(v gjson.Result, m *guest.Module) []byte {
	var members []elicit.Arg
	given := map[string]bool{}
	v.ForEach(func(k, v gjson.Result) bool {
		if given[k.String()] = true; k.String() != "module" {
			members = append(members, elicit.Raw(k.String(), v.Raw))
		}
		return true
	})
	for _, own := range []elicit.Arg{elicit.Str("name", m.Manifest.Name), elicit.Str("digest", m.Digest),
		elicit.Raw("declared", string(Declaration(m)))} {
		if !given[own.Name] {
			members = append(members, own)
		}
	}
	return cli.AppendObject(nil, members)
}

// DefaultPermit returns the permit that a module gets when no file of permits names it: everything that the module
// declares, except secrets.
func DefaultPermit(m *guest.Module) []byte {
	reads := guardian.Reads(each.Of(m.Manifest.Reads, withoutSecrets))
	members := []elicit.Arg{elicit.Str("name", m.Manifest.Name), elicit.Str("digest", m.Digest),
		elicit.Raw("declared", string(Declaration(m))), elicit.Raw("reads", string(reads.AppendJSON(nil)))}
	if m.WASI {
		members = append(members, elicit.Raw("wasi", "true"), elicit.Num("fuel", WasiFuel))
	}
	return cli.AppendObject(nil, members)
}

// WasiFuel is the default budget of a guest that needs WASI. Such a guest contains the runtime of its language; Go's
// runtime uses over a million fuel before the guardian starts.
const WasiFuel = 20_000_000

// withoutSecrets returns a pattern that shows no secret. Only a pattern with the exact name of an answer's field shows
// a secret, so withoutSecrets replaces the name by "*". The "*" covers also fields that p does not name, but the
// module's own declaration excludes them again.
func withoutSecrets(p guardian.Pattern) guardian.Pattern {
	tokens := strings.SplitN(p.String(), "/", 4)
	if len(tokens) < 3 || tokens[1] != "answer" {
		return p
	}
	tokens[2] = "*"
	wide, _ := guardian.ParsePattern(strings.Join(tokens, "/"))
	return wide
}

// Declaration returns {"phases","reads","codes"?}, the member "declared" of a permit.
func Declaration(m *guest.Module) []byte {
	members := []elicit.Arg{elicit.Raw("phases", cli.JSONStrings(m.Manifest.Phases)),
		elicit.Raw("reads", string(m.Manifest.Reads.AppendJSON(nil)))}
	if len(m.Manifest.Codes) > 0 {
		members = append(members, elicit.Raw("codes", cli.JSONStrings(m.Manifest.Codes)))
	}
	return cli.AppendObject(nil, members)
}

// ReadOnePermit reads one permit that this program has written.
func ReadOnePermit(text []byte) (guardian.Permit, error) {
	permits, problems := guardian.ReadPermits(gjson.Parse("[" + string(text) + "]"))
	if len(problems) > 0 {
		return guardian.Permit{}, fmt.Errorf("the module's own permit cannot be used: %s", problems[0].Code)
	}
	return permits[0], nil
}

// PermitEntry is one permit of a file, and the pointer to it.
type PermitEntry struct {
	gjson.Result
	At string
}

// PermitsIn lists the permits of a file, which holds one permit, a list of permits, or {"guardians":[…]}.
func PermitsIn(cmd *cobra.Command, d cli.Document) (entries []PermitEntry, err error) {
	if err := d.Refuse(cmd, d.Problems()); err != nil {
		return nil, err
	}
	root, at := gjson.ParseBytes(d.Text), ""
	if root.IsObject() && root.Get("guardians").Exists() {
		inner := root.Get("guardians")
		var wrong []elicit.Problem
		root.ForEach(func(k, _ gjson.Result) bool {
			if k.String() != "guardians" && k.String() != "$schema" {
				token := strings.NewReplacer("~", "~0", "/", "~1").Replace(k.String())
				wrong = append(wrong, elicit.Problem{Code: "unknown_member", Pointer: "/" + token})
			}
			return true
		})
		if !inner.IsArray() {
			wrong = append(wrong, elicit.Problem{Code: "wrong_type", Pointer: "/guardians",
				Args: []elicit.Arg{elicit.Str("expected", "array")}})
		}
		if err := d.Refuse(cmd, wrong); err != nil {
			return nil, err
		}
		root, at = inner, "/guardians"
	}
	if !root.IsArray() {
		return []PermitEntry{{root, at}}, nil
	}
	for i, e := range root.Array() {
		entries = append(entries, PermitEntry{e, at + "/" + strconv.Itoa(i)})
	}
	return entries, nil
}

// AddDataFlag adds --data, the path of a data document.
func AddDataFlag(cmd *cobra.Command, path *string, usage string) {
	cmd.Flags().StringVar(path, "data", "", usage)
	_ = cmd.MarkFlagFilename("data")
}

// ReadData reads a data document. A digest that is not "" pins it.
func ReadData(cmd *cobra.Command, path, pinned string) (doc cli.Document, digest string, err error) {
	if doc, err = cli.ReadRegular(cmd, path); err != nil {
		return doc, "", err
	}
	if len(doc.Text) > guardian.MaxData {
		PrintModuleProblems(cmd, doc.Name, []elicit.Problem{guardian.DataTooLarge(len(doc.Text))})
		return doc, "", cli.ErrInvalid
	}
	if digest = guardian.Digest(doc.Text); pinned != "" && pinned != digest {
		return doc, "", cli.Exit(cli.Invalid, fmt.Errorf(
			"%s is not the data document that the permit pins: its digest is %s", doc.Name, digest))
	}
	return doc, digest, nil
}

// ResolvePath returns the path of a file that a document names. A relative path starts at the document's directory.
func ResolvePath(doc, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(doc), path)
}

// keepData gives the shelf the data document that a permit names by its path. It returns its digest, "" for none.
func (g *Guardians) keepData(cmd *cobra.Command, file string, permit gjson.Result) (digest string, err error) {
	path := permit.Get("data")
	if !path.Exists() {
		return "", nil
	}
	if path.Type != gjson.String {
		return "", cli.Exit(cli.Invalid, fmt.Errorf("%s: \"data\" is the path of a data document", file))
	}
	at := ResolvePath(file, path.Str)
	g.willRead(at)
	doc, digest, err := ReadData(cmd, at, permit.Get("data_digest").String())
	if err != nil {
		return "", err
	}
	if _, problems := g.Modules.Keep(doc.Text); len(problems) > 0 {
		PrintModuleProblems(cmd, doc.Name, problems)
		return "", cli.ErrInvalid
	}
	return digest, nil
}

// WithData returns a permit with the digest of its data document, "" for none, instead of the document's path.
func WithData(permit []byte, digest string) []byte {
	v := gjson.ParseBytes(permit)
	if v.Get("data").Exists() && !v.Get("data_digest").Exists() && digest != "" {
		permit = cli.AppendObject(nil, append(cli.MembersOf(v, "data"), elicit.Str("data_digest", digest)))
	}
	return cli.WithoutMember(gjson.ParseBytes(permit), "data")
}
