package engine

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pending"
)

// savedSession is what Save wrote, read and checked. It is a value of the step: handleResumed moves its parts into the
// engine, or drops all of it.
type savedSession struct {
	opened           event.Opened
	items            []savedItem
	ended            []pending.Ended
	hosts, servers   []string
	muted            bool
	typed            []typedValue
	accepted         []acceptedMessage
	haste            haste
	labels           labels
	stopwatch        stopwatch
	reviews          reviews
	grants           []elicit.Grant
	sessionAllowance *allowance // nil when the session had spent nothing
	allowance        *allowance
	ahead            int64 // of the wall clock, where it was saved
}

// stateReader reads a saved session by the limits and the rules of today. It changes nothing. It knows the requests of
// the engine, because no id of a state may be that of another request. Everything in a state is hostile until it is
// checked, because a state comes from outside of the process. The engine never reads from it what it can compute again.
type stateReader struct {
	config *config
	forms  *forms
	known  *pending.Table
}

// allowance is what was left of a rate, and when.
type allowance struct{ level, at int64 }

// read reads and checks what Save wrote, changing nothing. A member that Save does not write is refused: who wrote
// it meant something that would be lost.
func (s *stateReader) read(state []byte) (saved savedSession, problems []elicit.Problem) {
	if f := jsontext.Check(state, documentLimits); f != nil {
		return saved, []elicit.Problem{elicit.FromFault(f)}
	}
	r := strict.Of(gjson.ParseBytes(state))
	if r.Take("state").Raw != "1" {
		return saved, []elicit.Problem{{Code: "state_version", Pointer: "/state"}}
	}
	ev, problems := event.Read([]byte(r.Take("opened").Raw))
	opened, ok := ev.(event.Opened)
	if !ok || recordProblem(opened) != "" {
		return saved, append(problems, elicit.Problem{Code: "state_unreadable", Pointer: "/opened"})
	}
	saved.opened = opened
	saved.items = s.readItems(&r, "open", &opened)
	saved.ended = s.readEnded(&r, "ended", &opened)
	saved.hosts, saved.servers = readHosts(&r, "visited"), readKnownServers(&r, "servers")
	saved.muted, saved.typed, saved.reviews = r.Flag("muted"), readTypedValues(&r, "typed"), takeReviews(&r, "reviews")
	saved.accepted, saved.haste = readAccepted(&r, "accepted"), readHaste(&r, "haste")
	saved.labels, saved.stopwatch = labelsOf(r.Strs("labels")), readStopwatch(&r)
	saved.grants = readRemembered(&r, "grants", elicit.ForTheSession, maxSessionGrants, opened)
	saved.sessionAllowance, saved.allowance = readAllowance(&r, "session_allowance"), readAllowance(&r, "allowance")
	// 0 for a state from a host whose deadlines follow the wall clock, which writes neither.
	saved.ahead = r.OptTime("saved_at") - r.OptTime("saved_now")
	if len(r.Problems) > 0 {
		return saved, []elicit.Problem{{Code: "state_unreadable", Pointer: memberOf(r.Problems[0].Pointer)}}
	}
	r.RefuseUnknown()
	return saved, r.Problems
}

// memberOf is the pointer of the outermost member that a pointer lies in.
func memberOf(pointer string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	return "/" + name
}

// readAllowance takes what is left of a rate, nil when nothing says so. A state without the member but with the member
// of its time is a sign of a state that was cut by hand.
func readAllowance(r *strict.Reader, name string) *allowance {
	if !r.Take(name).Exists() {
		if r.Take(name + "_at").Exists() {
			r.Report("state_unreadable", name)
		}
		return nil
	}
	return &allowance{r.Time(name), r.OptTime(name + "_at")}
}

// readEnded takes how requests have ended that somebody may still answer. A state cannot tell how those of another
// session ended.
func (s *stateReader) readEnded(r *strict.Reader, name string, opened *event.Opened) (list []pending.Ended) {
	// Late answers are explained by these. An end that a state forges can only change an explanation, and only in its
	// own session.
	outcomes := []elicit.Outcome{elicit.Accepted, elicit.Declined, elicit.Cancelled, elicit.Failed}
	r.Objects(name, "state_unreadable", maxSavedEnds, func(one *strict.Reader) {
		end := pending.Ended{ID: elicit.ID(one.Str("id")), Session: opened.Session,
			Outcome: elicit.Outcome(one.Str("outcome")), Cause: elicit.Cause(one.Str("cause"))}
		known, here := s.known.Ended(end.ID)
		if !pending.WellFormed(end.ID) || !slices.Contains(outcomes, end.Outcome) ||
			!slices.Contains(elicit.Causes(), end.Cause) || here && known.Session != opened.Session {
			one.Report("state_unreadable", "id")
		}
		list = append(list, end)
	})
	return list
}

// mostQueued is the highest limit a queue may have; the present one may have been lowered since.
const mostQueued = 1024

// readItems reads the open requests.
func (s *stateReader) readItems(r *strict.Reader, name string, opened *event.Opened) (items []savedItem) {
	// The limits of a state are those that the engine itself keeps, so a saved session always reads, and a forged one
	// is no larger.
	ids, refs, calls, bytes := map[elicit.ID]bool{}, map[string]bool{}, 0, 0
	if !r.Take(name).Exists() {
		r.Report("state_unreadable", name)
	}
	r.Objects(name, "state_unreadable", maxHeld, func(one *strict.Reader) {
		item, fits := s.readItem(one, opened)
		if !fits {
			one.Report("state_unreadable", "id")
			return
		}
		bytes += item.held.size()
		fits = !ids[item.ID] && bytes <= maxHeld
		// Handles must be unique among all that wait, joined ones included: a reply names nothing else.
		ids[item.ID] = true
		if item.State != pending.Awaiting {
			ref := item.held.request.Ref
			fits = fits && !refs[ref] && len(refs)-calls < mostQueued
			if refs[ref] = true; item.held.request.HeldCall {
				calls += 1 + len(item.held.joined)
			}
			for _, j := range item.held.joined {
				fits = fits && !refs[j.ref] && !ids[j.id] && len(refs)-calls < mostQueued
				refs[j.ref], ids[j.id] = true, true
			}
		}
		if !fits || calls > mostQueued {
			one.Report("state_unreadable", "id")
		}
		items = append(items, item)
	})
	return items
}

// readItem reads one open request. Everything that the engine can derive is derived again and not believed: the form,
// its kind, the arguments in canonical form, and what policy withholds. The rest is checked as if it were new.
func (s *stateReader) readItem(r *strict.Reader, opened *event.Opened) (item savedItem, ok bool) {
	ev, _ := event.Read([]byte(r.Take("asked").Raw))
	asked, ok := ev.(event.Asked)
	state, known := pending.ParseState(r.Str("state"))
	id := elicit.ID(r.Str("id"))
	_, open := s.known.Find(id)
	deadline := readDeadline(r, "deadline")
	if !ok || !known || open || !pending.WellFormed(id) || !s.fitsAgain(asked, opened, state) {
		return item, false
	}
	// Charged before it was saved, so moving a session costs its server nothing.
	q := &question{request: asked.Request, charged: true, consults: consults{rounds: r.Count("rounds")}}
	q.request.ID, q.request.Server, q.request.Side = id, opened.Server, opened.Side
	q.end.over = state == pending.Awaiting // the peer had its reply when the person consented
	if q.request.Mode == elicit.Form {
		if q.form, _ = s.forms.Compile(q.request.Schema, s.config.schemaOptions(opened.Side)); q.form == nil {
			return item, false
		}
	}
	if q.readArguments() != nil {
		return item, false
	}
	q.kind, q.facts = kindOf(q.request, q.form), s.forms.factsOf(q.form, q.request.Schema)
	q.joined, q.shown.receipts, q.shown.draft = readJoined(r, "joined"), readReceipts(r, "receipts"), s.readDraft(r, q)
	q.warned.fields, q.warned.extras = r.Strs("told"), r.Strs("told_beside")
	q.warned.unfit = r.Flag("told_unfit")
	if q.form == nil && len(q.joined)+len(q.warned.fields) > 0 || !q.areFields(q.warned.fields) {
		return item, false
	}
	// Only a page whose accept policy gave has the member. Any other cause would be a claim that the peer was told.
	switch by := elicit.Cause(r.Opt("by")); {
	case by == "":
	case by == elicit.ByPolicy && state == pending.Awaiting:
		q.end.by = by
	default:
		return item, false
	}
	q.shown.at, q.came.at = r.OptTime("shown_at"), r.OptTime("came_at")
	q.shown.preferred = r.Flag("preferred") && state == pending.Shown
	if r.Has("came_hasty") {
		q.came.haste = knownAs(r.Flag("came_hasty"))
	}
	q.came.labels = r.Count("came_labels")
	// Where this host's client draws no such question, the flag is dropped, and the question gets a turn on the
	// surface.
	q.shown.byClient = r.Flag("by_client") && opened.Client.Has(q.request.Mode)
	q.shown.left = r.Opt("left_client")
	if q.shown.left != "" && (q.shown.byClient || !slices.Contains(leavesClient, q.shown.left)) {
		return item, false
	}
	item = savedItem{Item: pending.Item{ID: id, Session: opened.Session, Server: opened.Server, State: state,
		Deadline: deadline, Finished: r.Flag("finished"), Apart: q.shown.byClient}, held: q}
	return item, len(r.Problems) == 0
}

// readDeadline takes a moment that may lie behind the last one, by as much as a limit of time may give. A state may
// name lastMoment as the present, plus a limit of seven days. Twice lastMoment is beyond all of that, and fits an
// int64.
func readDeadline(r *strict.Reader, name string) int64 {
	v := r.Take(name)
	n, ok := strict.Integer(v)
	if v.Exists() && (!ok || n < 0 || n > 2*lastMoment) {
		r.Report("wrong_type", name, elicit.Str("expected", "milliseconds"))
	}
	return n
}

// readJoined takes requests that wait for the answer of another. Whether their handles are unique is for the caller to
// see.
func readJoined(r *strict.Reader, name string) (all []joined) {
	r.Objects(name, "state_unreadable", mostQueued, func(one *strict.Reader) {
		j := joined{elicit.ID(one.Str("id")), one.Str("ref"), one.Opt("parent")}
		if !pending.WellFormed(j.id) || labelProblem(j.ref, j.parent) != "" {
			one.Report("state_unreadable", "id")
		}
		all = append(all, j)
	})
	return all
}

// readReceipts takes each receipt once. A repeated or unknown one is a state that Save did not write.
func readReceipts(r *strict.Reader, name string) (list []event.Receipt) {
	for _, one := range r.Strs(name) {
		if receipt := event.Receipt(one); receipt.Valid() && !slices.Contains(list, receipt) {
			list = append(list, receipt)
		} else {
			r.Report("state_unreadable", name)
		}
	}
	return list
}

// readDraft takes a draft as if it had just been typed: policy may let less of it be kept now.
func (s *stateReader) readDraft(r *strict.Reader, q *question) []byte {
	draft := r.Take("draft")
	switch {
	case !draft.Exists():
	case !draft.IsObject() || q.form == nil:
		r.Report("state_unreadable", "draft")
	default:
		return draftOf(q.form, q.facts.shown, q.privateFields(s.config.stack), jsontext.AppendValue(nil, []byte(draft.Raw)))
	}
	return nil
}

// areFields reports whether each pointer is that of another field of the form.
func (q *question) areFields(pointers []string) bool {
	for i, p := range pointers {
		if name, ok := fieldAt(q.form, p); !ok || p != string(jsontext.AppendToken(nil, name)) ||
			slices.Contains(pointers[:i], p) {
			return false
		}
	}
	return true
}

// takeReviews takes the letters that reviews.String wrote.
func takeReviews(r *strict.Reader, name string) reviews {
	s := r.Opt(name)
	if len(s) > reviewWindow+1 || strings.Trim(s, "ad|") != "" || strings.Count(s, "|") > 1 ||
		len(strings.Trim(s, "|")) > reviewWindow {
		r.Report("state_unreadable", name)
		return reviews{}
	}
	return readReviews(s)
}

// fitsAgain reports whether a saved question would be admitted now. After a limit was lowered, the state is refused as
// a whole. Dropping one question of it would leave a peer without a reply.
func (s *stateReader) fitsAgain(asked event.Asked, opened *event.Opened, state pending.State) bool {
	limits := s.config.limits
	if asked.Session != opened.Session || recordProblem(asked) != "" || !opened.Declared.Has(asked.Mode) ||
		len(asked.Message) > limits.message || len(asked.Schema) > limits.schema || len(asked.URL) > limits.url ||
		len(asked.Arguments) > limits.arguments {
		return false
	}
	// Only a page that the peer can report as finished is waited for.
	if asked.Mode == elicit.URL {
		return asked.URL != "" && (state != pending.Awaiting || asked.Link != "")
	}
	return state != pending.Awaiting
}
