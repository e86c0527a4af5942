package hook

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	front "github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/clientconfig"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/grantfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/pause"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/program"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// hookRun is one question of a hook on its way through an engine. It is the host of the engine's driver: it keeps what
// the engine says, for the goroutine that decides.
type hookRun struct {
	driver    *drive.Driver
	host      hooks.Host
	ruled     bool // the person or an administrator has written a policy, or has named a guardian
	programs  *program.Runner
	journal   lateJournal
	grants    *grantfile.File // nil when no grant may be used or made
	notes     io.Writer
	session   string
	engine    *engine.Engine
	labels    labelFile
	learned   []string // the labels of the session after this call
	identity  string
	principal string
	within    time.Duration    // how long a person is asked at a desk; 0 asks at none
	late      <-chan time.Time // after it the host would stop this process, and may let the call run
	inbox     inbox            // what the engine has said and this run has not read

	shown    *effect.Show
	reply    *effect.Reply
	problems []elicit.Problem
}

// decide asks the engine, and waits for guardians.
func (v *hookVerb) decide(cmd *cobra.Command, host hooks.Host, hook hooks.Hook) (verdict hooks.Verdict, err error) {
	switch {
	case hook.Asks == hooks.AboutAnswer && hook.Request.Mode == elicit.URL:
		return hooks.Verdict{Decision: hooks.Allow}, nil // the page has been visited, and there is no content to look at
	case hook.Asks == hooks.AboutNothing:
		return hooks.Verdict{Decision: hooks.Silent}, nil
	}
	labels, unknown := openLabels(host, hook.Session, time.Now())
	if unknown != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "elicit hook: it is not known what this session did: %s\n", ui.Plain(unknown.Error()))
	}
	r := &hookRun{host: host, session: hook.Session, labels: labels, notes: cmd.ErrOrStderr(),
		inbox: inbox{arrived: make(chan struct{}, 1)}}
	defer func() {
		if err != nil && v.unfitVerdict(host, hook.Event, "").Decision != hooks.Deny {
			err = errors.Join(err, r.labels.add(policy.AnyLabel)) // the host may let the call run
		}
		r.labels.close()
	}()
	v.Layers.UseDefaultPlaces()
	if !pause.Until(time.Now()).IsZero() {
		v.Layers.Rest()
	}
	if err := v.Require(cmd, nil); err != nil {
		return hooks.Verdict{}, err
	}
	r.principal, r.ruled = v.Guardians.Principal, v.Layers.Found() || len(v.Guardians.List) > 0
	if v.ui == "auto" && !strings.HasPrefix(hook.Session, hooks.ProbeSession) {
		r.within = v.answerWithin
	}
	r.late = time.After(v.answerWithin + clientconfig.HookMargin - hookEnd)
	config, err := v.Config(front.Limits{}, r.useGrants(v, host, &hook))
	if err != nil {
		return hooks.Verdict{}, err
	}
	r.session = cmp.Or(r.session, hook.Event)
	r.engine = engine.New()
	beginning, err := r.openJournal(v, cmd, host, hook.Session)
	if err != nil {
		return hooks.Verdict{}, err
	}
	defer r.journal.close()
	defer pruneSometimes(cmd.ErrOrStderr(), v.journal == "")
	r.programs = v.Guardians.NewProgramRunner(cmd.ErrOrStderr())
	// Do fails only after the driver was shut down. Then nobody waits for the verdict.
	r.programs.Answer = func(said event.Consulted) { _ = r.driver.Do(said) }
	defer r.programs.Close()
	o := drive.Options{Guests: v.Guardians.Guests(), Journal: &r.journal}
	if r.driver, err = drive.NewEngine(r.engine, beginning, r, o); err != nil {
		return hooks.Verdict{}, err
	}
	defer r.driver.Shutdown()
	return r.run(config, hook)
}

// useGrants opens the file of grants, if a grant may answer this hook. One that cannot be trusted or read answers
// nothing.
func (r *hookRun) useGrants(v *hookVerb, host hooks.Host, hook *hooks.Hook) (held front.Grants) {
	if r.identity = hookIdentity(host, *hook); r.identity == "" {
		return nil
	}
	hook.Request.Persistable = true // the host takes any answer each time, so it may be the same one
	path, err := places.Grants(v.grants)
	if err != nil {
		return nil
	}
	file, list, err := grantfile.Open(path)
	if err != nil {
		fmt.Fprintf(r.notes, "elicit hook: %s\n", ui.Plain(err.Error()))
		return nil
	}
	r.grants = file
	return append(front.Grants{}, list...)
}

// openJournal opens the journal, if one is kept, and lets the engine go on with it. It returns the effects of that. A
// default place that cannot be used is no failure, as for `elicit proxy`.
func (r *hookRun) openJournal(v *hookVerb, cmd *cobra.Command, host hooks.Host, session string) (
	beginning []effect.Effect, err error) {
	dir, always := v.journal, v.journal != ""
	if !always {
		dir, _ = places.Journals()
	}
	switch {
	case dir == places.None && v.journalKey != "":
		return nil, journals.ErrKeyAlone
	case dir == places.None:
		return nil, nil
	}
	key, err := journalfile.ReadKey(v.journalKey)
	if err != nil {
		return nil, err
	}
	if at, err := os.Stat(dir); err == nil && !at.IsDir() {
		return nil, fmt.Errorf("--journal %s is no directory, and each session of an agent is a file of its own", dir)
	}
	file, head, err := sessionJournal(dir, host, session, key)
	if err != nil && !always {
		fmt.Fprintf(cmd.ErrOrStderr(), "elicit hook: no journal is kept: %s\n", ui.Plain(err.Error()))
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if r.journal.file = file; head.Seq == 0 {
		return nil, nil
	}
	if r.labels.made { // this is not the first call, so its labels were taken away
		_ = r.labels.add(policy.AnyLabel) // where it cannot be written, this call knows it at least
	}
	return r.engine.Continue(head, time.Now().UnixMilli()), nil
}

// pruneSometimes removes old labels, and old journals at the default place, in one of 64 runs, because reading a
// directory of many takes longer than a decision.
func pruneSometimes(notes io.Writer, journal bool) {
	if os.Getpid()%64 != 0 {
		return
	}
	pruneLabels(time.Now())
	if dir, err := places.Journals(); err == nil && journal {
		journals.Prune(dir, notes)
	}
}

// run asks, gives the person's answer if the hook is about one, and closes the session.
func (r *hookRun) run(config []byte, hook hooks.Hook) (hooks.Verdict, error) {
	both := elicit.Modes{Form: true, URL: true}
	hook.Request.Session = r.session
	events := []event.Event{event.Configured{Config: config},
		event.Opened{Session: r.session, Server: hook.Request.Server, Side: elicit.Answering, Declared: both, Shown: both,
			Principal: r.principal, Identity: r.identity, Labels: r.labels.held},
		event.Asked{Request: hook.Request}}
	for _, ev := range events {
		if err := r.step(ev); err != nil {
			return hooks.Verdict{}, err
		}
		if len(r.problems) > 0 {
			return hooks.Verdict{}, errors.New(sayProblems(r.problems))
		}
	}
	if err := r.wait(func() bool { return r.shown != nil }); err != nil {
		return hooks.Verdict{}, err
	}
	if err := r.settle(hook); err != nil {
		return hooks.Verdict{}, err
	}
	if err := r.labels.add(r.learned...); err != nil {
		return hooks.Verdict{}, fmt.Errorf("what this session did cannot be kept: %w", err)
	}
	verdict := r.verdict(hook)
	if err := r.step(event.Closed{Session: r.session, Cause: elicit.ByShutdown}); err != nil {
		return hooks.Verdict{}, err
	}
	return verdict, r.journal.flush()
}

// settle ends a question that a person has to decide: with the answer that the hook brings, at a desk, or by handing it
// over to the host. A page is the host's to open.
func (r *hookRun) settle(hook hooks.Hook) error {
	if r.reply != nil {
		return nil
	}
	if hook.Asks != hooks.AboutAnswer {
		if r.within > 0 && r.shown.Mode == elicit.Form && !hook.Later && !r.saysNothing(hook, r.shown.Reasons) {
			if err := r.askPerson(hook); err != nil || r.reply != nil {
				return err
			}
		}
		return r.giveUp(hook)
	}
	err := r.step(event.Answered{Session: r.session, ID: r.shown.ID, Principal: r.principal, Action: hook.Action,
		Content: hook.Content, Via: event.ViaClient})
	if err != nil {
		return err
	}
	return r.wait(func() bool { return len(r.problems) > 0 })
}

// leave leaves the question to the host: its own prompt, or its own rules.
func (r *hookRun) leave(hook hooks.Hook, why elicit.Cause) error {
	return r.step(event.Cancelled{Session: r.session, Ref: hook.Request.Ref, Cause: why})
}

// wait lets time pass until the question is settled, or enough says so.
func (r *hookRun) wait(enough func() bool) error {
	for r.reply == nil && !enough() {
		select {
		case <-r.inbox.arrived:
			if err := r.read(); err != nil {
				return err
			}
		case <-r.late:
			return errors.New("a guardian has given no verdict in the time that the agent waits for a hook")
		}
	}
	return nil
}

// remember keeps a grant that holds always. Any other ends with this process.
func (r *hookRun) remember(g elicit.Grant) {
	if g.Scope != elicit.Always || r.grants == nil {
		return
	}
	if err := r.grants.Add(g); err != nil {
		fmt.Fprintf(r.notes, "elicit hook: %s; your yes holds for this call only\n", ui.Plain(err.Error()))
	}
}

// verdict spells what became of the question.
func (r *hookRun) verdict(hook hooks.Hook) hooks.Verdict {
	reply := r.reply
	switch {
	case reply == nil: // a secret in the answer, for which the person cannot be asked again
		return hooks.Verdict{Decision: hooks.Deny, Reason: "Elicit: " + sayProblems(r.problems)}
	case hook.Asks == hooks.AboutAnswer && reply.Cause == elicit.ByUser:
		return hooks.Verdict{Decision: hooks.Allow}
	case reply.Cause == elicit.ByHandedOver || reply.Cause == elicit.ByLeftOpen:
		return r.openVerdict(hook)
	case r.saysNothing(hook, reply.Reasons):
		return hooks.Verdict{Decision: hooks.Silent}
	case hook.Asks == hooks.AboutOwnQuestion:
		return r.ownVerdict(hook)
	}
	v := hooks.Verdict{Decision: hooks.Deny, Reason: sayReasons(reply.Reasons, reply.Findings)}
	switch reply.Cause {
	case elicit.ByNoUI:
		v.Reason += nobodyAsked
	case elicit.ByUser:
		v.Reason = "Elicit: " + english.Cause(reply.Cause)
		if reply.Note != "" {
			v.Reason = "Elicit: the person declined, and says: " + reply.Note
		}
	}
	switch reply.Outcome {
	case elicit.Accepted:
		v.Decision, v.Arguments = hooks.Allow, reply.Arguments
		if hook.Asks == hooks.AboutQuestion {
			v.Content = reply.Content
		}
	case elicit.Cancelled:
		v.Decision = hooks.Cancel
	}
	if len(reply.Problems) > 0 {
		v.Reason = "Elicit: " + ui.Plain(sayProblems(reply.Problems))
	}
	return v
}

// ownVerdict is the answer to the agent's own question. Only a person answers it. Where nobody has, the agent is told
// so, and never gets a choice.
func (r *hookRun) ownVerdict(hook hooks.Hook) hooks.Verdict {
	reply, why := r.reply, ""
	switch {
	case reply.Cause == elicit.ByUser && reply.Outcome == elicit.Accepted:
		if answers := hook.Answered(reply.Content); answers != nil {
			return hooks.Verdict{Decision: hooks.Allow, Arguments: answers, Reason: "Elicit: the person answered"}
		}
		why = "The person left it open"
	case reply.Cause == elicit.ByUser && reply.Outcome == elicit.Cancelled:
		why = "The person closed it"
	case reply.Cause == elicit.ByUser && reply.Note != "":
		why = "The person declined to answer, and says: " + reply.Note
	case reply.Cause == elicit.ByUser:
		why = "The person declined to answer"
	case len(reply.Problems) > 0:
		why = ui.Plain(sayProblems(reply.Problems))
	default:
		why = strings.TrimPrefix(sayReasons(reply.Reasons, reply.Findings), "Elicit: ")
	}
	return hooks.Verdict{Decision: hooks.Deny, Reason: "Elicit: the question is not answered. " + why}
}

// sayReasons says why, in sentences for the person whose agent shows them. Agents end the text themselves.
func sayReasons(reasons []elicit.Reason, findings []elicit.Finding) string {
	if len(reasons) > 1 && reasons[0].Code == "approval_policy_asks" {
		reasons = reasons[1:] // something else decided, so nobody is asked
	}
	said := append(each.Of(reasons[:min(len(reasons), 3)], english.Why),
		each.Of(findings[:min(len(findings), 3)], english.Finding)...)
	return "Elicit: " + ui.Plain(strings.TrimSuffix(strings.Join(said, " "), "."))
}
