package engine_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// generator makes random events that are often, but not always, sensible: it remembers what was shown and asked, and
// mixes in wrong ids, sessions, principals and contents.
type generator struct {
	below    func(n int) int // the next decision, among n; 0 is the simplest
	sessions []string
	at       int64
	made     uint64
	refs     int
	shown    []effect.Show
	again    effect.Problem // the last that was not taken for a secret in it
	grants   []elicit.ID
	secrets  []string // every text typed into a sensitive field so far
	config   string   // the last configuration given that was fit
	configs  []string // to choose from
	consults []effect.Consult
	guarded  bool // guardians are the subject
	holding  bool // held calls are the subject
}

var schemas = []string{
	`{"type":"object","properties":{}}`,
	`{"type":"object","properties":{"name":{"type":"string","minLength":2}},"required":["name"]}`,
	`{"type":"object","properties":{"n":{"type":"integer","minimum":3,"default":0},"f":{"type":"boolean",` +
		`"default":false}},"required":["n","f"]}`,
	`{"type":"object","properties":{"password":{"type":"string","minLength":14},"note":{"type":"string",` +
		`"maxLength":3}},"required":["password"]}`,
	`{"type":"object","properties":{"c":{"type":"string","enum":["x","y"]},"api_key":{"type":"string",` +
		`"default":"none"}}}`,
	`{"type":"object","properties":{"ticket":{"type":"string"},"n":{"type":"integer","default":5}},` +
		`"required":["ticket"]}`,
	`{"type":"object","properties":{"o":{"type":"object"}}}`,
	`{"type":"object",`,
}

var contents = []string{
	`{}`, `null`, `[]`, `{"name":"Ada"}`, `{"name":""}`, `{"n":3,"f":true}`, `{"n":4.5}`, `{"c":"x"}`,
	`{"c":"z","c":"x"}`,
	`{"password":%q,"note":"ok"}`, `{"note":"too long","password":%q}`, `{"api_key":%q,"c":"y"}`,
	`{"api_key":%q,"c":7}`,
	`{"password":%q`,
	`{"ticket":"KEY"}`, `{"name":"KEY"}`,
}

// tickets answer the schema with a ticket, which is the one to put a secret into although it does not ask for one.
var tickets = []string{`{"ticket":"ABC-1"}`, `{"ticket":"KEY"}`, `{"ticket":"KEY","n":6}`, `{"n":4.5,"ticket":"KEY"}`}

const ticketSchema = 5

var configs = []string{
	`{}`, `{"limits":{"shown":2,"shown_ttl_ms":3000,"answer_ttl_ms":5000,"burst":50,"per_minute":6000}}`,
	`{"join_duplicates":true,"limits":{"flood_bytes":500,"shown":2,"burst":50,"per_minute":600,"burst_session":9,` +
		`"per_minute_session":90}}`,
	`{"join_duplicates":true,"limits":{"shown":2,"answer_ttl_ms":4000,"burst":50,"per_minute":6000}}`,
	`{"join_duplicates":true,"limits":{"queue":2,"held_calls":1,"page_ttl_ms":3000,"burst":50,"per_minute":600}}`,
	`{"limits":{"answer_ttl_ms":2000,"page_ttl_ms":0,"ended":3,"burst":50}}`,
	`{"limits":{"flood_bytes":1000,"burst":50,"per_minute":7},"policy":{"user":{"version":1,"grants":"always",` +
		`"secrets":"note","rules":[{"name":"r","when":{"kind":"confirm"},"then":"accept"},{"name":"d",` +
		`"when":{"tool":"bad"},"then":"decline"}]}}}`,
	`{"pauses":true,"limits":{"shown":2,"answer_ttl_ms":3000,"burst":50},"policy":{"project":{"version":1,` +
		`"secrets":"refuse"}}}`,
	`{"offer_scopes":true,"show_changes":true,"limits":{"shown":2,"burst":50,"per_minute":6000},` +
		`"policy":{"user":{"version":1,"suggestions":"server","grants":"always"}}}`,
	`{"limits":{"shown":2,"burst":50,"per_minute":6000},"policy":{"user":{"version":1,"grants":"always","rules":[` +
		`{"name":"slow","when":{"hasty":true},"then":"cancel"}]}}}`,
	`{"limits":{"shown":2,"burst":50,"per_minute":6000},"policy":{"user":{"version":1,"suggestions":"server"},` +
		`"project":{"version":1,"withhold":["NAME","*/note"]}}}`,
}

// guarded are configurations with guardians: one of each phase, one that is shown the password, a reviewer, one in
// audit mode, and a policy under which their failure only asks.
var guarded = []string{
	`{"limits":{"shown":2,"burst":50,"per_minute":6000},"guardians":[` + sentinel("before_show", "/request") + `,` +
		sentinel("before_send", "/answer") + `]}`,
	`{"limits":{"shown":2,"answer_ttl_ms":4000,"burst":50,"per_minute":6000},"guardians":[` +
		sentinel("before_send", "/answer/password") + `],
	  "policy":{"user":{"version":1,"grants":"always","on_guardian_failure":"ask",` +
		`"rules":[{"name":"r","when":{"kind":"confirm"},"then":"accept"}]}}}`,
	`{"join_duplicates":true,"limits":{"shown":2,"burst":50,"per_minute":6000},"guardians":[{"name":"auto",` +
		`"reviewer":true,"reads":["/request"],"deadline_ms":3000},` +
		sentinel("before_show", "/request/url") +
		`],"policy":{"user":{"version":1,"rules":[{"name":"r","when":{"kind":"confirm"},"then":"review"}]}}}`,
}

func sentinel(phase, reads string) string {
	return fmt.Sprintf(`{"name":"%s","digest":"%064d","declared":{"phases":["%s"],"reads":["%s"]},"reads":["%s"],`+
		`"deadline_ms":1500}`, strings.ReplaceAll(phase, "_", "-"), 1, phase, reads, reads)
}

func newGenerator(sessions ...string) *generator {
	return &generator{sessions: sessions, at: 1000, config: "{}", configs: configs}
}

func pick[T any](g *generator, from []T) T { return from[g.below(len(from))] }

// chance is true so many times in a hundred; what is simplest is false.
func (g *generator) chance(percent int) bool { return g.below(100) >= 100-percent }

func (g *generator) input() engine.Input {
	in := engine.Input{Event: g.event()}
	if !g.chance(5) {
		g.made++ // a host's random may show the same twice
	}
	binary.LittleEndian.PutUint64(in.Random[:], g.made)
	g.at += int64(g.below(900))
	in.At = g.at
	if g.chance(3) {
		in.At -= int64(g.below(5000))
	}
	return in
}

// often is how often each event comes; the first letters come a little more often than the others.
const often = "taxoaxao" + "axanaxcg" + "axpaaxno" + "axaxanzc" + "axaoapxt" + "axanaxog" + "atxacaxn" + "pzuaxaxn"

// consulting is how often each event comes where guardians are waited for.
const consulting = "vvvvvvvvvvvvtaxoaxvvncvzgpuvvaxn"

func (g *generator) event() event.Event {
	mix := often
	if len(g.consults) > 0 {
		mix = consulting
	}
	switch mix[g.below(len(mix))] {
	case 'v':
		return g.consulted()
	case 'o':
		return g.opened(pick(g, g.sessions))
	case 'a':
		return g.asked()
	case 'x':
		return g.answered()
	case 'n':
		return g.told()
	case 'p':
		return event.Completed{Session: pick(g, g.sessions), Link: pick(g, []string{"L1", "L2", ""})}
	case 'c':
		cause := pick(g, []elicit.Cause{"", "", elicit.ByCallEnded})
		if g.chance(50) {
			return event.Cancelled{Session: pick(g, g.sessions), Parent: pick(g, []string{"p1", "p2"}), Cause: cause}
		}
		return event.Cancelled{Session: pick(g, g.sessions), Ref: g.ref(), Cause: cause}
	case 'z':
		return event.Closed{Session: pick(g, g.sessions),
			Cause: pick(g, []elicit.Cause{elicit.ByShutdown, elicit.BySessionClosed, "?"})}
	case 'u':
		if len(g.grants) > 0 && g.chance(50) {
			return event.Revoked{Grant: pick(g, g.grants)}
		}
		session := pick(g, g.sessions)
		if g.chance(50) {
			return event.Forgotten{Session: session, Field: pick(g, []string{"", "name", "note"})}
		}
		return event.Unmuted{Session: session, Server: "server of " + session}
	case 'g':
		if g.chance(20) {
			return event.Configured{Config: []byte(`{"limits":{"queue":-1}}`)}
		}
		if g.chance(20) {
			return event.Configured{Config: []byte(g.config), Refused: "the file is broken"}
		}
		g.config = pick(g, g.configs)
		return event.Configured{Config: []byte(g.config)}
	}
	return event.Ticked{}
}

func (g *generator) opened(session string) event.Opened {
	return event.Opened{Session: session, Server: "server of " + session, Side: elicit.Answering, Principal: "me",
		Declared: elicit.Modes{Form: true, URL: true}, Shown: elicit.Modes{Form: true, URL: g.chance(80)}}
}

func (g *generator) ref() string { return fmt.Sprint(max(0, g.refs-g.below(4))) }

func (g *generator) asked() event.Event {
	if !g.chance(8) {
		g.refs++
	}
	r := elicit.Request{Session: pick(g, g.sessions), Ref: fmt.Sprint(g.refs), Mode: elicit.Form, Message: "Go on?",
		Tool: pick(g, []string{"", "", "", "bad"}), Parent: pick(g, []string{"", "p1", "p2"})}
	switch {
	case g.holding && !g.chance(10):
		r.Schema = []byte(schemas[0])
		g.holdCall(&r)
	case g.chance(30):
		r.Mode, r.URL, r.Link = elicit.URL, "https://example.com/pay", pick(g, []string{"", "L1", "L2"})
	case g.chance(4):
		r.Mode = "voice"
	case g.guarded && g.chance(25):
		r.Schema = []byte(schemas[3])
	case g.chance(45):
		r.Schema = []byte(schemas[0])
	case g.chance(25):
		r.Schema = []byte(schemas[ticketSchema])
	default:
		r.Schema = []byte(pick(g, schemas))
	}
	if g.refs%8 == 7 {
		r.Message = "Go on?\n\nls\nIn /w"
		r.Parts = []elicit.Part{{Is: elicit.PartText, Lines: 2}, {Is: elicit.PartCommand, Lines: 1},
			{Is: elicit.PartDirectory, Lines: 1}}
	}
	if g.refs%16 == 5 && r.Arguments == nil && r.Mode == elicit.Form {
		r.Does, r.Command = elicit.DeedCommand, "curl https://"+string(rune('a'+g.refs%26))+".test"
	}
	if g.chance(6) {
		r.Tool, r.CandidatesCut = "", g.chance(20)
		for range g.below(4) {
			r.Candidates = append(r.Candidates, elicit.Candidate{Tool: pick(g, []string{"good", "bad"}),
				Open: g.chance(50), Annotations: elicit.Annotations{ReadOnly: elicit.Say(g.chance(50))}})
		}
	}
	return event.Asked{Request: r}
}

func (g *generator) answered() event.Event {
	a := event.Answered{Session: pick(g, g.sessions), ID: "00000000000000000000000000000000", Principal: "me",
		Action: pick(g, []elicit.Action{elicit.Accept, elicit.Accept, elicit.Accept, elicit.Decline, elicit.Cancel,
			"yes"}),
		Via: pick(g, []event.Via{"", "", "", event.ViaClient, event.ViaScript, event.ViaNoUI})}
	if len(g.shown) > 0 && !g.chance(4) {
		s := g.shown[max(0, len(g.shown)-1-g.below(3))]
		a.ID = s.ID
		if !g.chance(5) {
			a.Session = s.Session
		}
	}
	if g.again.ID != "" && g.chance(60) {
		a.ID, a.Session, a.Action, a.Via, g.again = g.again.ID, g.again.Session, elicit.Accept, "", effect.Problem{}
	}
	if a.Action == elicit.Accept && g.chance(60) || g.chance(5) {
		a.Remember = elicit.Wish{Scope: pick(g, []elicit.Scope{elicit.Once, elicit.ForTheSession, elicit.Always})}
		if g.chance(4) {
			a.Remember.Scope = "ever"
		}
		if g.chance(50) {
			a.Remember.ExpiresAt = g.at + int64(g.below(20_000))
		}
	}
	a.Mute = a.Action != elicit.Accept && g.chance(3)
	if g.chance(4) {
		a.Principal = "eve"
	}
	list := contents
	if slices.ContainsFunc(g.shown, func(s effect.Show) bool {
		return s.ID == a.ID && s.Form != nil &&
			s.Form.Field("ticket") != nil
	}) {
		list = tickets
	}
	if g.guarded && slices.ContainsFunc(g.shown, func(s effect.Show) bool {
		return s.ID == a.ID && s.Form != nil &&
			s.Form.Field("password") != nil
	}) {
		list = []string{`{"password":%q,"note":"ok"}`, `{"password":%q,"note":"no"}`}
		a.Action, a.Via = elicit.Accept, ""
	}
	if content := pick(g, list); !g.chance(10) {
		a.Content = []byte(g.withSecret(content))
	}
	if g.chance(10) {
		a.Cleared = []string{pick(g, []string{"n", "api_key", "password", "nothing"})}
	}
	if g.holding {
		g.addBeside(&a)
	}
	return a
}

// verdicts are what guardians, reviewers and second persons say; KEY is what the question holds of a secret, if it
// does, and FIELD a field of the form.
var verdicts = []string{`{"v":1,"decision":"pass"}`, `{"v":1,"decision":"pass"}`, `{"v":1,"decision":"allow"}`,
	`{"outcome":"allow"}`, `{"outcome":"deny"}`,
	`{"v":1,"decision":"ask","findings":[{"code":"a","message":"KEY"}]}`,
	`{"v":1,"decision":"deny","findings":[{"code":"d","message":"no KEY"}]}`,
	`{"v":1,"decision":"pass","obligations":[{"do":"redact","pointer":"/answer/FIELD"},{"do":"redact",` +
		`"pointer":"/answer/FIELD"}]}`,
	`{"v":1,"decision":"pass","obligations":[{"do":"redact","pointer":"/answer/ticket"}]}`,
	`{"v":1,"decision":"pass","obligations":[{"do":"redact","pointer":"/answer/FIELD"}]}`,
	`{"v":1,"decision":"pass","obligations":[{"do":"second_person"}]}`,
	`{"v":1,"decision":"pass","findings":[{"code":"CODE","pointer":"/answer/CODE","message":"m"},{"code":"d",` +
		`"message":"m","severity":"low"}]}`,
	`{"v":1,"decision":"pass","findings":[{"code":"c","message":"m","severity":"critical"}]}`, `KEY`, `{`}

// consulted is what a guardian says that was asked: mostly the last, mostly in its session.
func (g *generator) consulted() event.Event {
	i := max(0, len(g.consults)-1-g.below(3))
	c := g.consults[i]
	if !g.chance(5) { // most guardians speak once
		g.consults = slices.Delete(g.consults, i, i+1)
	}
	ev := event.Consulted{Session: c.Session, ID: c.ID, Round: c.Round, Fuel: int64(g.below(2000))}
	if g.chance(4) {
		ev.Session = pick(g, g.sessions)
	}
	if g.chance(4) {
		ev.Round--
	}
	switch {
	case g.chance(8):
		ev.Fault = pick(g, []guardian.Fault{"fuel", "trap", "missing", "?"})
	case c.Phase == effect.SecondPerson:
		ev.Output, ev.Principal = `{"v":1,"decision":"`+pick(g, []string{"allow", "allow", "deny", "pass"})+`"}`,
			pick(g, []string{"bob", "bob", "me", ""})
	case c.Reviewer:
		ev.Output = pick(g, []string{`{"outcome":"allow"}`, `{"outcome":"deny"}`, `{"outcome":"ask"}`, "?", "?",
			`{"outcome":"allow"}{"outcome":"deny"}`})
		if ev.Session == "b" && !g.chance(20) { // whose reviewer has had enough
			ev.Output = `{"outcome":"deny"}`
		}
	default:
		said := gjson.GetBytes(c.Question, "answer.password").String()
		ev.Output = strings.ReplaceAll(pick(g, verdicts), "KEY", "it is "+said)
		ev.Output = strings.ReplaceAll(ev.Output, "CODE", "c"+strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return '_'
		}, said))
		if c.Phase == guardian.BeforeSend && g.chance(50) {
			ev.Output = `{"v":1,"decision":"pass","obligations":[` +
				pick(g, []string{`{"do":"redact","pointer":"/answer/FIELD"}`, `{"do":"second_person"}`}) + `]}`
		}
		field := "note"
		for _, s := range g.shown {
			if s.ID == c.ID && s.Form != nil && len(s.Form.Fields) > 0 {
				field = pick(g, s.Form.Fields).Name
			}
		}
		ev.Output = strings.ReplaceAll(ev.Output, "FIELD", field)
	}
	return ev
}

// told is what a host tells of a request before it is answered: mostly of one that is shown, and of its session.
func (g *generator) told() event.Event {
	session, id := pick(g, g.sessions), elicit.ID("00000000000000000000000000000000")
	if len(g.shown) > 0 && !g.chance(4) {
		s := g.shown[max(0, len(g.shown)-1-g.below(3))]
		id = s.ID
		if !g.chance(5) {
			session = s.Session
		}
	}
	switch g.below(4) {
	case 3:
		ref := g.ref()
		if len(g.shown) == 0 {
			return event.Called{Session: session, Ref: ref, Tool: "t", Digest: "0a", Again: len(ref) > 1}
		}
		return event.Preferred{Session: session, Ref: ref}
	case 0:
		return event.Noted{Session: session, ID: id,
			Receipt: pick(g, []event.Receipt{event.ReceiptShown, event.ReceiptFocused, event.ReceiptFirstInput,
				"seen"})}
	case 1:
		if g.chance(10) {
			return event.Drafted{Session: session, ID: id}
		}
		return event.Drafted{Session: session, ID: id, Draft: []byte(g.withSecret(pick(g, contents)))}
	}
	return event.Extended{Session: session, ID: id, Until: pick(g, []int64{0, g.at - 500, g.at + 8000, g.at + 900_000,
		1 << 60})}
}

// withSecret puts a fresh secret, sometimes a short one, where content has a place for it, and a fresh key where it
// says KEY.
func (g *generator) withSecret(content string) string {
	if strings.Contains(content, "KEY") {
		key := fmt.Sprintf("ghp_%dAbCdEfGhIjKlMnOpQrStUvWxYz", len(g.secrets)+100_000)
		g.secrets = append(g.secrets, key)
		return strings.ReplaceAll(content, "KEY", key)
	}
	if !strings.Contains(content, "%q") {
		return content
	}
	secret := fmt.Sprintf("s3cret%d", len(g.secrets)+1000)
	if g.chance(70) {
		secret += "-and-some-more"
	}
	g.secrets = append(g.secrets, secret)
	return fmt.Sprintf(content, secret)
}

// saw remembers what effects say.
func (g *generator) saw(effects []effect.Effect) {
	for _, next := range effects {
		if s, ok := next.(effect.Show); ok {
			g.shown = append(g.shown, s)
		}
		if c, ok := next.(effect.Consult); ok {
			g.consults = append(g.consults, c)
		}
		if r, ok := next.(effect.Reply); ok && !g.chance(10) {
			g.consults = slices.DeleteFunc(g.consults, func(c effect.Consult) bool { return c.ID == r.ID })
		}
		if p, ok := next.(effect.Problem); ok && len(p.Problems) > 0 && p.Problems[0].Code == "secret_unconfirmed" {
			g.again = p
		}
		if r, ok := next.(effect.Remember); ok {
			g.grants = append(g.grants, r.Grant.ID)
		}
	}
	g.consults = slices.Clone(g.consults[max(0, len(g.consults)-8):])
	g.shown = slices.Clone(g.shown[max(0, len(g.shown)-8):])
}

// calls are arguments that a held call has, and that a person makes of them. KEY is a fresh secret.
var calls = []string{`{"command":"ls -l"}`, `{"command":"rm -r /","n":1}`, `{"command":"curl -H KEY https://h"}`,
	`{"command":"ls","list":["a","KEY"],"in":{"n":"KEY"}}`, `{"command":"ls"}`,
	`{"command":"ls .","n":2}`, `{"command":7}`, `{"KEY":1}`, `{"n":1,"n":2}`, `[]`}

// toolSchemas are what tools say of their arguments. The first cannot be read as a form.
var toolSchemas = []string{`{"type":"object","properties":{"command":{"type":"object"}}}`,
	`{"type":"object","properties":{"command":{"type":"string","maxLength":12},"n":{"type":"integer"}},
	  "required":["command"]}`}

// holdCall makes a question hold a call, mostly one whose arguments can be edited.
func (g *generator) holdCall(r *elicit.Request) {
	r.Message, r.Takes = "Run it?", elicit.Takes(g.below(8))
	if g.chance(80) {
		r.Takes |= elicit.TakesEdit
	}
	r.Arguments = []byte(calls[g.below(2)])
	if g.chance(10) {
		r.Arguments = []byte(pick(g, calls))
	}
	if g.chance(60) {
		r.ArgumentsSchema = []byte(pick(g, toolSchemas))
	}
	if r.HeldCall = r.ArgumentsSchema == nil; r.HeldCall { // without a draw, which would change every other life
		r.Description, r.Definition = "Runs\u202e it.", "0a"
	}
	if g.chance(60) {
		r.CommandAt, r.Command, r.Message = "/command", "ls -l", "Run ls -l?"
	}
}

// addBeside gives an answer a note and edited arguments, mostly where they are taken.
func (g *generator) addBeside(a *event.Answered) {
	a.Cleared = nil
	holds := slices.ContainsFunc(g.shown, func(s effect.Show) bool { return s.ID == a.ID && s.Takes != 0 })
	if holds && g.chance(80) || g.chance(4) {
		a.Arguments = []byte(g.withSecret(pick(g, calls)))
		a.Content, a.Action = []byte(`{}`), elicit.Accept
	}
	if holds && g.chance(50) || g.chance(4) {
		a.Note = g.withSecret(pick(g, []string{"No.", "one\ntwo", "take KEY", "a\tb"}))
	}
}
