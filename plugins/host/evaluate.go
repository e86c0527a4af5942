package host

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/tetratelabs/wazero/api"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/meter"
)

// Evaluation is one question to one guest.
type Evaluation struct {
	Digest   string // of the module as it was loaded
	Question []byte // of at most guest.MaxQuestion bytes; a settings document for CheckSettings
	Fuel     int64  // the whole budget; 0 is guest.DefaultFuel, more than the most is the most: see guest.SettingsFuel
	WASI     bool   // the permit says "wasi": true
	// Data is the document that the permit names, of at most guest.MaxData bytes, nil for none; an empty document is
	// not nil. It is read while the evaluation runs, never written and never kept, so evaluations may share one.
	Data []byte
}

// Result is what came of it. Output and Fault exclude each other. Output, Fault, Fuel, Pages and Log follow from the
// module and the evaluation alone, on every engine; Detail and Nanoseconds do not, and are for people.
type Result struct {
	Output      []byte
	Fault       guardian.Fault // "" when there is an output
	Detail      string
	Fuel        int64 // used, never more than the budget
	Pages       int   // of memory at the end, which is when it is largest
	Log         []Line
	Nanoseconds int64 // from the instance's making to its end; no limit, just measured
	Profile     *Call // where the fuel went; nil without Options.Profile, or when there was no instance
}

// Evaluate puts a question to a loaded guest, in an instance of its own. It returns after a time the fuel bounds,
// whatever the guest does, and waits before that while too many others run.
func (h *Host) Evaluate(e Evaluation) Result { return h.run(guest.Evaluate, e) }

// CheckSettings hands the guest a settings document in place of a question.
func (h *Host) CheckSettings(e Evaluation) Result { return h.run(guest.CheckSettings, e) }

func (h *Host) run(function string, e Evaluation) Result {
	if len(e.Question) > guest.MaxQuestion {
		return Result{Fault: guardian.FaultQuestionTooLarge}
	}
	l := h.find(e.Digest)
	if l == nil {
		return Result{Fault: guardian.FaultNotLoaded, Detail: "no guest of this digest is loaded"}
	}
	defer h.running.Done()
	if l.module.WASI && !e.WASI {
		return Result{Fault: guardian.FaultNotLoaded, Detail: "the guest imports WASI, which is not permitted"}
	}
	if l.module.Manifest.Data != "" && e.Data == nil || len(e.Data) > guest.MaxData {
		return Result{Fault: guardian.FaultNotLoaded, Detail: "the guest needs a data document, and there is none"}
	}
	h.slots <- struct{}{}
	defer func() { <-h.slots }()
	i := evaluation{budget: e.Fuel, data: e.Data}
	if i.budget <= 0 {
		i.budget = guest.DefaultFuel
	}
	most := int64(guest.MaxFuel)
	if function == guest.CheckSettings && e.Data != nil {
		most = guest.DataFuel
	}
	i.budget = min(i.budget, most)
	began := time.Now()
	h.live(&i, l, function, e.Question)
	i.result.Nanoseconds = time.Since(began).Nanoseconds()
	i.log.flush()
	i.result.Log = i.log.lines
	if i.profile != nil {
		i.result.Profile = i.profile.root
	}
	return i.result
}

// evaluation is one evaluation from the making of its memory to the end. Host functions find it in their context.
type evaluation struct {
	instance *instance // nil until its start section has ended
	budget   int64     // of fuel, with the cost of the instance
	data     []byte    // nil for none
	log      log
	shim     shim
	profile  *profile // nil unless the host profiles
	result   Result
}

// evaluationKey is where host functions find the evaluation that called them.
type evaluationKey struct{}

// live runs an evaluation from its making to its end.
func (h *Host) live(i *evaluation, l *loaded, function string, question []byte) {
	ctx := context.WithValue(context.Background(), evaluationKey{}, i)
	defer func() {
		// wazero returns what guests and host functions do as errors; a panic here is a bug of it or of ours.
		if p := recover(); p != nil {
			i.result.Output = nil
			i.fail(guardian.FaultInternal, errors.New("a bug of the host"))
		}
	}()
	left := i.budget - int64(l.module.Instance)
	if left < 0 {
		i.result.Fuel = i.budget
		i.fail(guardian.FaultFuel, errors.New("the budget does not pay for an instance"))
		return
	}
	v, err := h.instance(ctx, l)
	if err != nil {
		i.fail(i.exitOr(guardian.FaultStart), err)
		return
	}
	i.instance = v
	if h.options.Profile {
		i.profile = newProfile(i.budget)
	}
	defer func() { h.release(ctx, l, v, i.result.Output != nil) }()
	if left -= v.started; left >= 0 {
		v.fuel.Set(uint64(left))
		i.converse(ctx, function, question)
		left = int64(v.fuel.Get())
	}
	if left < 0 {
		// The fuel did not pay for this result.
		i.result.Output = nil
		i.fail(guardian.FaultFuel, nil)
	}
	i.result.Fuel = i.budget - max(left, 0)
	i.result.Pages = int(v.module.Memory().Size() >> 16)
}

// converse follows plugins/ABI.md step by step: initialize, alloc, write, call, read.
func (i *evaluation) converse(ctx context.Context, function string, question []byte) {
	if i.instance.initialize != nil {
		if _, ok := i.call(ctx, i.instance.initialize, guardian.FaultStart); !ok {
			return
		}
	}
	at, ok := i.call(ctx, i.instance.alloc, guardian.FaultTrap, uint64(len(question)))
	if !ok {
		return
	}
	ptr := uint32(at)
	if ptr == 0 || !i.instance.module.Memory().Write(ptr, question) {
		i.fail(guardian.FaultBadAlloc, nil)
		return
	}
	asked := i.instance.evaluate
	if function == guest.CheckSettings {
		asked = i.instance.check
	}
	if packed, ok := i.call(ctx, asked, guardian.FaultTrap, uint64(ptr), uint64(len(question))); ok {
		i.read(packed)
	}
}

// read takes the output, checked in this order: is there one, is it in memory, is it short enough, is it text.
func (i *evaluation) read(packed uint64) {
	if packed == 0 {
		i.fail(guardian.FaultRefused, nil)
		return
	}
	ptr, length := uint32(packed>>32), uint32(packed)
	view, ok := i.instance.module.Memory().Read(ptr, length)
	switch {
	case !ok || length == 0:
		i.fail(guardian.FaultBadOutput, errors.New("the output is not in the guest's memory, or empty"))
	case length > guest.MaxOutput:
		i.fail(guardian.FaultOutputTooLarge, nil)
	case !utf8.Valid(view):
		i.fail(guardian.FaultBadOutput, errors.New("the output is not UTF-8"))
	default:
		i.result.Output = append([]byte(nil), view...)
	}
}

// call calls a function of the guest and returns what it gave. own is the fault of a trap that is the guest's own
// doing.
func (i *evaluation) call(ctx context.Context, f api.Function, own guardian.Fault, args ...uint64) (uint64, bool) {
	var stack [2]uint64
	copy(stack[:], args)
	err := f.CallWithStack(ctx, stack[:])
	if err == nil {
		return stack[0], true
	}
	fault := i.exitOr(own)
	switch api.DecodeI32(i.instance.reason.Get()) {
	case meter.ReasonFuel:
		fault = guardian.FaultFuel
	case meter.ReasonDepth:
		fault = guardian.FaultDepth
	}
	i.fail(fault, err)
	return 0, false
}

func (i *evaluation) exitOr(other guardian.Fault) guardian.Fault {
	if i.shim.exited {
		return guardian.FaultExit
	}
	return other
}

func (i *evaluation) fail(f guardian.Fault, err error) {
	i.result.Fault = f
	if err != nil {
		i.result.Detail = firstLine(err)
	}
}
