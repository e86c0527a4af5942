package guardian

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/guestcase"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
	"github.com/elicit-engine/elicit/plugins/meter"
)

// loadedGuest is a module that is ready to run under the limits of production, with the permit that decides what it is
// shown.
type loadedGuest struct {
	*host.Host
	module *guest.Module
	permit guardian.Permit
	data   []byte // its data document, nil for none
	fuel   int64
	names  map[int]string // of its functions by index, empty without a name section
}

func addPermitFlag(cmd *cobra.Command, permit *string) {
	cmd.Flags().StringVar(permit, "permit", "",
		"`file` with the module's permit; by default what elicit guardian pin permits")
	_ = cmd.MarkFlagFilename("permit", "json")
}

// openGuest makes a module ready to run. Without a file of permits it uses the default permit; without fuel the
// permit's budget. The caller closes the guest.
func openGuest(cmd *cobra.Command, path string, u guestFlags) (*loadedGuest, error) {
	return openGuestWith(cmd, path, u, rules.GuestOptions())
}

func openGuestWith(cmd *cobra.Command, path string, u guestFlags, o host.Options) (*loadedGuest, error) {
	if cmd.Flags().Changed("fuel") && (u.fuel < 1 || u.fuel > guest.MaxFuel) {
		return nil, fmt.Errorf("--fuel is %d; give something from 1 to %d", u.fuel, guest.MaxFuel)
	}
	doc, err := cli.ReadRegular(cmd, path)
	if err != nil {
		return nil, err
	}
	h := host.New(o)
	m, problems := h.Load(doc.Text, guest.Options{WASI: true})
	if len(problems) > 0 {
		h.Close()
		rules.PrintModuleProblems(cmd, doc.Name, problems)
		return nil, cli.ErrInvalid
	}
	t := &loadedGuest{Host: h, module: m, names: meter.FunctionNames(doc.Text)}
	var entry rules.PermitEntry
	if t.permit, entry, err = permitOf(cmd, m, u.permit); err == nil {
		t.data, err = u.dataFor(cmd, m, entry.Result)
	}
	t.fuel = cmp.Or(u.fuel, t.permit.Fuel)
	if err == nil && t.permit.Settings != nil {
		err = t.checkSettings(cmd, u.permit, entry.At+"/settings", t.permit.Settings)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return t, nil
}

// checkSettings asks the module whether settings fit, as a proxy does before it starts. It prints the problems with the
// place of the settings in their file.
func (t *loadedGuest) checkSettings(cmd *cobra.Command, file, at string, settings []byte) error {
	r := t.CheckSettings(host.Evaluation{Digest: t.module.Digest, Question: settings, WASI: true, Data: t.data,
		Fuel: guest.SettingsFuel(t.permit.Fuel, t.data != nil)})
	if r.Fault != "" {
		return cli.Exit(cli.Failed, fmt.Errorf("%s cannot tell whether its settings fit: %s", t.module.Manifest.Name,
			rules.FaultWords(r)))
	}
	problems, bad := guardian.ReadSettingsAnswer(r.Output)
	if bad != nil {
		return cli.Exit(cli.Invalid, fmt.Errorf("%s gives no valid answer about its settings: %s: %s",
			t.module.Manifest.Name, ui.Plain(bad.Pointer), ui.Plain(english.Problem(*bad))))
	}
	if len(problems) == 0 {
		return nil
	}
	for i := range problems {
		problems[i].Pointer = at + problems[i].Pointer
		problems[i].Args = append(problems[i].Args, elicit.Str("guardian", t.permit.Name))
	}
	cli.Document{Name: file}.PrintProblems(cmd.ErrOrStderr(), problems)
	return cli.Exit(cli.Invalid, fmt.Errorf("%s refuses its settings, for the reasons above", t.module.Manifest.Name))
}

func (t *loadedGuest) evaluate(document []byte, settings bool) host.Result {
	e := host.Evaluation{Digest: t.module.Digest, Question: document, Fuel: t.budgetOf(settings), WASI: true, Data: t.data}
	if settings {
		return t.CheckSettings(e)
	}
	return t.Evaluate(e)
}

// budgetOf returns the fuel of one evaluation, or of one check of settings.
func (t *loadedGuest) budgetOf(settings bool) int64 {
	if settings {
		return guest.SettingsFuel(t.fuel, t.data != nil)
	}
	return t.fuel
}

// narrowed is the part of a question that a module is shown.
type narrowed struct {
	text     []byte
	phase    string
	notAsked bool     // the module is never asked in this phase
	missing  []string // pointers of the values that the question holds and the module is not shown
	replaced bool     // the question has other settings than the permit
}

// narrow adds what the inspection finds in a question and applies the permit, as an engine does. It passes on a phase
// that no engine knows, so that an author can test how a module takes one.
func (t *loadedGuest) narrow(question []byte) narrowed {
	n := narrowed{text: t.permit.Narrow(guestcase.Inspected(question)), phase: gjson.GetBytes(question, "phase").String()}
	if t.permit.Settings != nil {
		own := gjson.GetBytes(n.text, "settings")
		n.replaced = own.Exists() && !sameJSON([]byte(own.Raw), []byte("{}")) &&
			!sameJSON([]byte(own.Raw), t.permit.Settings)
		n.text = cli.AppendObject(nil, append(cli.MembersOf(gjson.ParseBytes(n.text), "settings"),
			elicit.Raw("settings", string(t.permit.Settings))))
	}
	known := n.phase == string(guardian.BeforeShow) || n.phase == string(guardian.BeforeSend)
	n.notAsked = known && !t.permit.Due(guardian.Phase(n.phase))
	for _, part := range []string{"request", "answer"} {
		n.missing = appendMissing(n.missing, "/"+part, gjson.GetBytes(question, part), gjson.GetBytes(n.text, part))
	}
	return n
}

// warning names the values of the question that the module is not shown; it is "" when the module is shown all.
func (n *narrowed) warning() string {
	if n.notAsked {
		return "it is not asked in the phase " + n.phase +
			", which the manifest or the permit leaves out; this counts as pass"
	}
	told := ""
	if n.replaced {
		told = "its settings are replaced by those of the permit"
	}
	if len(n.missing) == 0 {
		return told
	}
	if told != "" {
		told += "; "
	}
	const most = 4
	told += "it is not shown " + strings.Join(n.missing[:min(most, len(n.missing))], ", ")
	if more := len(n.missing) - most; more > 0 {
		told += " and " + strconv.Itoa(more) + " more"
	}
	return told + ", because \"reads\" of the manifest or of the permit leaves it out"
}

// appendMissing appends the pointers of the values that before holds and after does not. It lists the outermost ones.
func appendMissing(list []string, at string, before, after gjson.Result) []string {
	switch {
	case !before.Exists() || before.Raw == after.Raw:
		return list
	case before.IsObject() != after.IsObject() || before.IsArray() != after.IsArray(),
		!before.IsObject() && !before.IsArray():
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
		if inner := cli.Child(after, token); inner.Exists() {
			list = appendMissing(list, at+"/"+name, v, inner)
		} else {
			list = append(list, at+"/"+name)
		}
		return true
	})
	return list
}

// passResult is the result that counts for a guardian that is not asked.
func passResult() host.Result {
	verdict := guardian.Verdict{Decision: guardian.Pass}
	return host.Result{Output: verdict.AppendJSON(nil)}
}

// moduleThen completes arguments in a shell: first a module, then files of an extension, or directories for "".
func moduleThen(extension string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		switch {
		case len(args) == 0:
			return []string{"wasm"}, cobra.ShellCompDirectiveFilterFileExt
		case extension == "":
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
		return []string{extension}, cobra.ShellCompDirectiveFilterFileExt
	}
}

// guestFlags are the flags of a verb that runs a module for its author: the file of a permit, and a data document in
// place of the one that the permit names.
type guestFlags struct {
	permit, data string
	fuel         int64  // of each evaluation, 0 for what the permit says
	only         string // which cases to run, "" for all
	both         bool   // there are two modules, and perhaps only one of them reads data
}

func (u *guestFlags) addFuelFlags(cmd *cobra.Command) {
	u.addFlags(cmd)
	cmd.Flags().Int64Var(&u.fuel, "fuel", 0, "most fuel of each evaluation; by default what `elicit guardian pin` permits")
}

func (u *guestFlags) addCaseFlags(cmd *cobra.Command) {
	u.addFuelFlags(cmd)
	cmd.ValidArgsFunction = moduleThen("")
	cmd.Flags().StringVar(&u.only, "run", "", "run only the cases with this `name`, in which * stands for any characters")
}

func (u *guestFlags) addFlags(cmd *cobra.Command) {
	addPermitFlag(cmd, &u.permit)
	rules.AddDataFlag(cmd, &u.data, "the module's data document: a `file`; by default the one that the permit names")
}

// dataFor finds the data document of a module that is tried: the flag's, else the one that the permit names.
func (u *guestFlags) dataFor(cmd *cobra.Command, m *guest.Module, permit gjson.Result) ([]byte, error) {
	path, pinned := u.data, ""
	if path == "" && permit.Get("data").Type == gjson.String {
		path, pinned = rules.ResolvePath(u.permit, permit.Get("data").Str), permit.Get("data_digest").String()
	}
	switch {
	case m.Manifest.Data == "" && u.data != "" && !u.both:
		return nil, fmt.Errorf("--data is given, and %s declares no data document", m.Manifest.Name)
	case m.Manifest.Data == "":
		return nil, nil
	case path == "":
		return nil, fmt.Errorf("%s needs a data document; give it with --data: %s", m.Manifest.Name,
			cli.OneLine(strings.TrimRight(m.Manifest.Data, ".")))
	}
	doc, _, err := rules.ReadData(cmd, path, pinned)
	return append([]byte{}, doc.Text...), err
}

// undeclaredReads returns a note for each pattern that a permit allows without effect, because the module does not
// declare it.
func undeclaredReads(g guardian.Permit) (notes []string) {
	for _, p := range g.Reads {
		if !slices.ContainsFunc(g.Declared.Reads, func(d guardian.Pattern) bool { return overlap(d, p) }) {
			notes = append(notes, fmt.Sprintf("%s is permitted without effect, because %s does not declare it", p, g.Name))
		}
	}
	return notes
}

// overlap reports whether two patterns can name the same place, or places of which one is inside the other.
func overlap(p, q guardian.Pattern) bool {
	a, b := strings.Split(p.String(), "/"), strings.Split(q.String(), "/")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && a[i] != "*" && b[i] != "*" {
			return false
		}
	}
	return true
}

// permitOf finds the permit of a module in a file: the permit with its digest, else with its name, else the only
// permit. It ignores a digest that the file pins, because an author tests a new build of the module under the old
// permit. With file "" it returns the default permit. The entry is the permit as the file has it.
func permitOf(cmd *cobra.Command, m *guest.Module, file string) (g guardian.Permit, e rules.PermitEntry, err error) {
	if file == "" {
		g, err = rules.ReadOnePermit(rules.DefaultPermit(m))
		return g, e, err
	}
	doc, err := cli.ReadDocument(cmd, file)
	if err != nil {
		return g, e, err
	}
	entries, err := rules.PermitsIn(cmd, doc)
	if err != nil {
		return g, e, err
	}
	chosen := slices.IndexFunc(entries, func(e rules.PermitEntry) bool { return e.Get("digest").String() == m.Digest })
	if chosen < 0 {
		chosen = slices.IndexFunc(entries, func(e rules.PermitEntry) bool {
			return e.Get("name").String() == m.Manifest.Name
		})
	}
	if chosen < 0 && len(entries) == 1 {
		chosen = 0
	}
	if chosen < 0 {
		return g, e, fmt.Errorf("%s has no permit for %s; `elicit guardian pin` prints one", doc.Name, m.Manifest.Name)
	}
	e = entries[chosen]
	list := "[" + string(rules.WithData(rules.WithModule(gjson.ParseBytes(cli.WithoutMember(e.Result, "digest")), m),
		"")) + "]"
	permits, problems := guardian.ReadPermits(gjson.Parse(list))
	if len(problems) > 0 {
		for i := range problems {
			problems[i].Pointer = e.At + strings.TrimPrefix(problems[i].Pointer, "/0")
		}
		return g, e, doc.Refuse(cmd, problems)
	}
	return permits[0], e, nil
}

// permitAll returns a permit for a guardian that is shown everything except secrets, with these settings, a JSON
// object.
func permitAll(settings string) (guardian.Permit, error) {
	return rules.ReadOnePermit([]byte(
		`{"name":"anybody","host":true,"reads":["/request","/request/inspected","/answer"],"settings":` + settings + `}`))
}
