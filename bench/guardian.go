package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/cedar-policy/cedar-go"
	extism "github.com/extism/go-sdk"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/plugins/guest"
	guests "github.com/elicit-engine/elicit/plugins/host"
	"github.com/elicit-engine/elicit/plugins/meter"
)

// The same rule for all: links may only lead to allowed hosts, and a message with one of some words is shown to a
// person.
const (
	guardianSettings = `{"allow":["example.com","pay.example.com","build.example.org"],` +
		`"words":["transfer","wire","gift card"]}`
	guardianMessage = `The backup of the billing database failed last night. Shall I open a ticket for the storage team?`
	regoRules       = `package guardian
default decision := "pass"
decision := "deny" if not allowed
else := "ask" if worded
allowed if not input.request.url
allowed if {
	startswith(lower(input.request.url), "https://")
	rest := substring(lower(input.request.url), 8, -1)
	parts := regex.split("[/?#]", rest)
	named := split(split(parts[0], "@")[count(split(parts[0], "@")) - 1], ":")[0]
	named in input.settings.allow
}
worded if {
	some word in input.settings.words
	contains(lower(input.request.message), lower(word))
}`
	cedarGuardian = `
		forbid (principal, action, resource) unless { context.allow.contains(context.host) };
		permit (principal, action, resource) when {
			!(context.message like "*transfer*" || context.message like "*wire*" || context.message like "*gift card*") };`
)

func guardianQuestion(url, message string) []byte {
	text, err := json.Marshal(message)
	must(err)
	return []byte(`{"v":1,"phase":"before_show","at":1764000000000,"request":{"message":` + string(text) + `,"url":"` +
		url +
		`"},"settings":` + guardianSettings + `,"seed":"000102030405060708090a0b0c0d0e0f"}`)
}

// judge gives the decision on a question.
type judge func(question []byte) string

func (j judge) line(name string, question []byte) *line {
	good, bad := guardianQuestion("https://pay.example.com/orders/7731?step=2", guardianMessage),
		guardianQuestion("https://pay.example.net/", guardianMessage)
	mustHold(j(good) == "pass" && j(bad) == "deny", name)
	return &line{name: name, unit: "ns", run: func(n int) {
		for range n {
			j(question)
		}
	}}
}

func decision(verdict []byte) string { return gjson.GetBytes(verdict, "decision").Str }

func guestModule(name string) []byte {
	b, err := os.ReadFile(name)
	must(err)
	return b
}

const kitModules = "../plugins/tck/modules/"

// guardians measures consulting one guardian about one question.
func guardians() ([]*contest, []row) {
	question := guardianQuestion("https://pay.example.com/orders/7731?step=2", guardianMessage)
	h := guests.New(guests.Options{Compiler: true})
	module, rust := guestModule(kitModules+"hosts-c.wasm"), guestModule(kitModules+"hosts-rust.wasm")
	inC := hosted(h, module).line("a guest in C", question)
	inRust := hosted(h, rust).line("a guest in Rust", question)
	bareC := unhosted(module, false).line("the same guest under wazero, not metered, a fresh instance", question)
	bareRust := unhosted(rust, false).line(bareC.name, question)
	opa := regoJudge().line("OPA, prepared, from bytes", question)
	cedarLine := cedarJudge().line("cedar-go, from bytes", question)
	ext := extismJudge().line("the same guest in Extism go-sdk, with limits, a fresh instance", question)
	kept := extismKept().line("the same guest in Extism go-sdk, with limits, the instance kept", question)
	calls := &contest{procs: 1, batch: batch, batches: batches, lines: []*line{inC, inRust, opa, cedarLine, bareC,
		bareRust, kept, ext}}

	say, fresh := hostedLine(h, "guests/say.wasm", question), hostedLine(h, "guests/say-fresh.wasm", question)
	say.name, fresh.name = "memory written anew", "a fresh instance"
	images := &contest{procs: 1, batch: batch, batches: batches, lines: []*line{say, fresh}}

	metered, _ := guest.Read(module, guest.Options{})
	tell, end := node("guardian.mjs")
	tell(map[string]any{"module": metered.Metered, "question": string(question), "times": 500})
	v8 := &line{name: "V8, a fresh instance", unit: "ns",
		once: func() float64 { return tell(map[string]any{"times": 100}) / 100 }}
	wazeroFresh := unhosted(metered.Metered, true).line("wazero, a fresh instance", question)
	engines := &contest{procs: 1, batch: batch, batches: batches, lines: []*line{v8, wazeroFresh}, close: end}
	question = celQuestion(question)
	inCEL := &line{name: "a guardian in CEL, two rules", unit: "ms"}
	askCEL := hosted(h, guestModule("../plugins/guests/modules/cel.wasm"))
	mustHold(askCEL(question) == "pass", inCEL.name)
	inCEL.once = func() float64 {
		start := time.Now()
		for range 20 {
			askCEL(question)
		}
		return float64(time.Since(start)) / 20e6
	}
	shipped := &contest{procs: 1, batch: batch, batches: batches, lines: []*line{inCEL}}
	return []*contest{calls, images, engines, shipped}, []row{
		{path: "a rule in CEL asked", ours: inCEL, kind: absolute, most: 5, what: "two rules"},
		{path: "a guardian in Rust asked, clean memory", ours: inRust, against: bareRust, most: 2},
		{path: "a guardian in Rust asked, clean memory", ours: inRust, against: opa, most: 0.08},
		{path: "a guardian in Rust asked, clean memory", ours: inRust, against: cedarLine, most: 1.5},
		{path: "a guardian in C asked, clean memory", ours: inC, against: bareC, most: 2},
		{path: "a guardian in C asked, clean memory", ours: inC, against: opa, most: 0.08},
		{path: "a guardian in C asked, clean memory", ours: inC, against: ext, most: 0.01},
		{path: "a guardian in C asked, clean memory", ours: inC, against: kept, most: 0.1},
		{path: "memory written anew", ours: say, against: fresh, most: 0.12},
		{path: "a guardian asked in Node", ours: v8, against: wazeroFresh, most: 2},
	}
}

// celQuestion gives a question the settings of the guardian cel.
func celQuestion(question []byte) []byte {
	rules := `{"data":{"hosts":["https://pay.example.com/"]},"rules":[{"code":"link","when":` +
		`"has(request.url) && !data.hosts.exists(h, request.url.startsWith(h))"},` +
		`{"code":"worded","when":"['transfer','wire','gift card'].exists(w, request.message.contains(w))"}]}`
	return []byte(strings.Replace(string(question), guardianSettings, rules, 1))
}

// hosted runs a guest in our host.
func hosted(h *guests.Host, module []byte) judge {
	m, problems := h.Load(module, guest.Options{})
	mustHold(problems == nil, "the guest is refused")
	return func(q []byte) string {
		return decision(h.Evaluate(guests.Evaluation{Digest: m.Digest, Question: q}).Output)
	}
}

func hostedLine(h *guests.Host, file string, question []byte) *line {
	ask := hosted(h, guestModule(file))
	mustHold(ask(question) == "pass", file)
	return &line{unit: "ns", run: func(n int) {
		for range n {
			ask(question)
		}
	}}
}

// unhosted runs a guest directly under wazero, without our host, in a fresh instance for each question.
func unhosted(module []byte, metered bool) judge {
	begin := instances(module, metered)
	return func(q []byte) string {
		ask, end := begin(q)
		said := ask()
		end()
		return said
	}
}

// instances makes a fresh instance, writes the question into it, runs it and closes it.
func instances(module []byte, metered bool) func(q []byte) (ask func() string, end func()) {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler())
	_, err := r.NewHostModuleBuilder("elicit_guardian_v1").NewFunctionBuilder().
		WithFunc(func(context.Context, uint32, uint32, uint32) {}).Export("log").Instantiate(ctx)
	must(err)
	code, err := r.CompileModule(ctx, module)
	must(err)
	return func(q []byte) (func() string, func()) {
		m, err := r.InstantiateModule(ctx, code, wazero.NewModuleConfig().WithName("").WithStartFunctions())
		must(err)
		if metered {
			m.ExportedGlobal(meter.FuelExport).(api.MutableGlobal).Set(1 << 40)
		}
		at, err := m.ExportedFunction(guest.Alloc).Call(ctx, uint64(len(q)))
		must(err)
		m.Memory().Write(uint32(at[0]), q)
		evaluate := m.ExportedFunction(guest.Evaluate)
		return func() string {
			packed, err := evaluate.Call(ctx, at[0], uint64(len(q)))
			must(err)
			out, _ := m.Memory().Read(uint32(packed[0]>>32), uint32(packed[0]))
			return decision(out)
		}, func() { must(m.Close(ctx)) }
	}
}

func regoJudge() judge {
	ctx := context.Background()
	prepared, err := rego.New(rego.Query("x = data.guardian.decision"), rego.Module("guardian.rego",
		regoRules)).PrepareForEval(ctx)
	must(err)
	return func(q []byte) string {
		var input any
		must(json.Unmarshal(q, &input))
		set, err := prepared.Eval(ctx, rego.EvalInput(input))
		must(err)
		return set[0].Bindings["x"].(string)
	}
}

// cedarJudge gets the host of the link from Go code, because Cedar's language cannot extract it.
func cedarJudge() judge {
	set, err := cedar.NewPolicySetFromBytes("guardian.cedar", []byte(cedarGuardian))
	must(err)
	return func(q []byte) string {
		doc := gjson.ParseBytes(q)
		var allow []cedar.Value
		for _, a := range doc.Get("settings.allow").Array() {
			allow = append(allow, cedar.String(a.Str))
		}
		link := strings.TrimPrefix(doc.Get("request.url").Str, "https://")
		named, _, _ := strings.Cut(link, "/")
		d, _ := cedar.Authorize(set, cedar.EntityMap{}, cedar.Request{Context: cedar.NewRecord(cedar.RecordMap{
			"host": cedar.String(named), "allow": cedar.NewSet(allow...),
			"message": cedar.String(strings.ToLower(doc.Get("request.message").Str)),
		})})
		return map[bool]string{true: "pass", false: "deny"}[d == cedar.Allow]
	}
}

func extismPlugin() *extism.CompiledPlugin {
	manifest := extism.Manifest{Wasm: []extism.Wasm{extism.WasmFile{Path: "guests/extism.wasm"}}, Timeout: 1000,
		Memory: &extism.ManifestMemory{MaxPages: 32}}
	p, err := extism.NewCompiledPlugin(context.Background(), manifest, extism.PluginConfig{}, nil)
	must(err)
	return p
}

func extismJudge() judge {
	ctx, p := context.Background(), extismPlugin()
	return func(q []byte) string {
		i, err := p.Instance(ctx, extism.PluginInstanceConfig{})
		must(err)
		_, out, err := i.Call("evaluate", q)
		must(err)
		said := decision(out)
		must(i.Close(ctx))
		return said
	}
}

// extismKept uses one instance for all questions, as long as its memory is enough. A question may read data that an
// earlier one left.
func extismKept() judge {
	ctx, p := context.Background(), extismPlugin()
	var i *extism.Plugin
	asked := 0
	return func(q []byte) string {
		if asked%100 == 0 {
			if i != nil {
				must(i.Close(ctx))
			}
			var err error
			i, err = p.Instance(ctx, extism.PluginInstanceConfig{})
			must(err)
		}
		asked++
		_, out, err := i.Call("evaluate", q)
		must(err)
		return decision(out)
	}
}
