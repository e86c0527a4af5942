package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
	"github.com/elicit-engine/elicit/plugins/meter"
)

// trial is one module under the limits of production, with the grant that narrows what it is shown.
type trial struct {
	*host.Host
	module *guest.Module
	grant  guardian.Grant
	fuel   int64
	names  map[int]string // of its functions
}

func addGrantFlag(cmd *cobra.Command, grant *string) {
	cmd.Flags().StringVar(grant, "grant", "", "`file` with the grant to run under; by default what elicit guardian pin grants")
	_ = cmd.MarkFlagFilename("grant", "json")
}

// openGuest makes a module ready to run. The file of a grant is "" for what pin grants, fuel 0 for the grant's.
func openGuest(cmd *cobra.Command, path string, fuel int64, grantFile string) (*trial, error) {
	return openGuestWith(cmd, path, fuel, grantFile, host.Options{})
}

func openGuestWith(cmd *cobra.Command, path string, fuel int64, grantFile string, o host.Options) (*trial, error) {
	if cmd.Flags().Changed("fuel") && (fuel < 1 || fuel > guest.MaxFuel) {
		return nil, fmt.Errorf("--fuel is %d; give something from 1 to %d", fuel, guest.MaxFuel)
	}
	doc, err := readDocument(cmd, path)
	if err != nil {
		return nil, err
	}
	h := host.New(o)
	m, problems := h.Load(doc.text, guest.Options{WASI: true})
	if len(problems) > 0 {
		h.Close()
		complainOf(cmd, doc.name, problems)
		return nil, invalid
	}
	t := &trial{Host: h, module: m, names: meter.FunctionNames(doc.text)}
	if t.grant, err = grantOf(cmd, m, grantFile); err != nil {
		h.Close()
		return nil, err
	}
	if t.fuel = fuel; fuel == 0 {
		t.fuel = t.grant.Fuel
	}
	return t, nil
}

// grantOf finds the grant of a module in a file: by the digest, else by the name, else the only one. Another build of the
// module than the file pins is what an author tests, so a pinned digest does not matter here.
func grantOf(cmd *cobra.Command, m *guest.Module, file string) (guardian.Grant, error) {
	if file == "" {
		return theGrant(suggested(m))
	}
	doc, err := readDocument(cmd, file)
	if err != nil {
		return guardian.Grant{}, err
	}
	entries, err := doc.grants(cmd)
	if err != nil {
		return guardian.Grant{}, err
	}
	chosen := slices.IndexFunc(entries, func(e grantEntry) bool { return e.Get("digest").String() == m.Digest })
	if chosen < 0 {
		chosen = slices.IndexFunc(entries, func(e grantEntry) bool { return e.Get("name").String() == m.Manifest.Name })
	}
	if chosen < 0 && len(entries) == 1 {
		chosen = 0
	}
	if chosen < 0 {
		return guardian.Grant{}, fmt.Errorf("%s holds no grant for %s; `elicit guardian pin` prints one", doc.name, m.Manifest.Name)
	}
	e := entries[chosen]
	list := "[" + string(resolved(gjson.ParseBytes(without(e.Result, "digest")), m)) + "]"
	grants, problems := guardian.ReadGrants(gjson.Parse(list))
	if len(problems) > 0 {
		for i := range problems {
			problems[i].Pointer = e.at + strings.TrimPrefix(problems[i].Pointer, "/0")
		}
		doc.complain(cmd.ErrOrStderr(), problems)
		return guardian.Grant{}, invalid
	}
	return grants[0], nil
}

// theGrant reads one grant that this program wrote.
func theGrant(text []byte) (guardian.Grant, error) {
	grants, problems := guardian.ReadGrants(gjson.Parse("[" + string(text) + "]"))
	if len(problems) > 0 {
		return guardian.Grant{}, fmt.Errorf("the module's own grant cannot be used: %s", problems[0].Code)
	}
	return grants[0], nil
}

func (t *trial) evaluate(document []byte, settings bool) host.Result {
	e := host.Evaluation{Digest: t.module.Digest, Question: document, Fuel: t.fuel, WASI: true}
	if settings {
		return t.CheckSettings(e)
	}
	return t.Evaluate(e)
}

// narrowed is a question as the module is shown it.
type narrowed struct {
	text    []byte
	phase   string
	unheard bool     // in this phase it is never asked
	missing []string // pointers of what the question holds and the module is not shown
}

// narrow applies the grant to a question, as an engine does. A phase that no engine knows goes to the module as it stands.
func (t *trial) narrow(question []byte) narrowed {
	n := narrowed{text: t.grant.Narrow(question), phase: gjson.GetBytes(question, "phase").String()}
	known := n.phase == string(guardian.BeforeShow) || n.phase == string(guardian.BeforeSend)
	n.unheard = known && !t.grant.Due(guardian.Phase(n.phase))
	for _, part := range []string{"request", "answer"} {
		n.missing = appendMissing(n.missing, "/"+part, gjson.GetBytes(question, part), gjson.GetBytes(n.text, part))
	}
	return n
}

// warning says what of the question the module is not shown, "" when it is shown all.
func (n *narrowed) warning() string {
	if n.unheard {
		return "it is not asked " + n.phase + ", a phase that manifest or grant leave out, and so passes"
	}
	if len(n.missing) == 0 {
		return ""
	}
	const most = 4
	told := strings.Join(n.missing[:min(most, len(n.missing))], ", ")
	if more := len(n.missing) - most; more > 0 {
		told += " and " + strconv.Itoa(more) + " more"
	}
	return "it is not shown " + told + ", which \"reads\" of the manifest or the grant leave out"
}

// appendMissing appends the pointers of what before holds and after does not, the outermost ones.
func appendMissing(list []string, at string, before, after gjson.Result) []string {
	switch {
	case !before.Exists() || before.Raw == after.Raw:
		return list
	case before.IsObject() != after.IsObject() || before.IsArray() != after.IsArray() || !before.IsObject() && !before.IsArray():
		return append(list, at)
	}
	if after.Get("$redacted").Exists() && !before.Get("$redacted").Exists() {
		return append(list, at)
	}
	i := 0
	before.ForEach(func(k, v gjson.Result) bool {
		token := k.String()
		if before.IsArray() {
			token = strconv.Itoa(i)
		}
		i++
		name := strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
		if inner := child(after, token); inner.Exists() {
			list = appendMissing(list, at+"/"+name, v, inner)
		} else {
			list = append(list, at+"/"+name)
		}
		return true
	})
	return list
}

// passed is the verdict of a guardian that is not asked.
func passed() host.Result {
	verdict := guardian.Verdict{Decision: guardian.Pass}
	return host.Result{Output: verdict.AppendJSON(nil)}
}

// grantEntry is one grant of a file, and the pointer to it.
type grantEntry struct {
	gjson.Result
	at string
}

// grants lists what a file of grants holds: one, a list, or {"guardians":[…]}.
func (d document) grants(cmd *cobra.Command) (entries []grantEntry, err error) {
	if problems := d.problems(); len(problems) > 0 {
		d.complain(cmd.ErrOrStderr(), problems)
		return nil, invalid
	}
	root, at := gjson.ParseBytes(d.text), ""
	if root.IsObject() && root.Get("guardians").Exists() {
		inner := root.Get("guardians")
		var wrong []elicit.Problem
		root.ForEach(func(k, _ gjson.Result) bool {
			if k.String() != "guardians" && k.String() != "$schema" {
				wrong = append(wrong, elicit.Problem{Code: "unknown_member", Pointer: "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(k.String())})
			}
			return true
		})
		if !inner.IsArray() {
			wrong = append(wrong, elicit.Problem{Code: "wrong_type", Pointer: "/guardians", Args: []elicit.Arg{elicit.Str("expected", "array")}})
		}
		if wrong != nil {
			d.complain(cmd.ErrOrStderr(), wrong)
			return nil, invalid
		}
		root, at = inner, "/guardians"
	}
	if !root.IsArray() {
		return []grantEntry{{root, at}}, nil
	}
	for i, e := range root.Array() {
		entries = append(entries, grantEntry{e, at + "/" + strconv.Itoa(i)})
	}
	return entries, nil
}

// moduleThenDirectory and moduleThenJSON complete arguments: a module first, and then directories or JSON files.
func moduleThenDirectory(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return []string{"wasm"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func moduleThenJSON(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return []string{"wasm"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
}
