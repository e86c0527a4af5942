package host

import (
	"context"
	"slices"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// Call is a function that was called from one place of the tree of calls, however often. The root is the host: its
// calls are those of plugins/ABI.md, and its own fuel is what the instance and a start section cost.
type Call struct {
	Function int   // index in the module, imports first; -1 for the root
	Count    int64 // how often it was called from there
	Fuel     int64 // what its own instructions took, without the calls it makes
	Calls    []*Call
}

// Total is the fuel of the call and of all calls below it.
func (c *Call) Total() int64 {
	sum := c.Fuel
	for _, inner := range c.Calls {
		sum += inner.Total()
	}
	return sum
}

// maxCalls bounds a tree. Calls beyond it are charged to the caller.
const maxCalls = 1 << 16

// profile follows one evaluation. The meter writes the fuel left into its global before every call and at every return,
// so the difference between two of these moments is what one function took by itself.
type profile struct {
	root  *Call
	stack []*Call // the calls under way, the root first
	nodes int     // of the tree, without the root
	left  int64   // the fuel at the last of these moments
}

func newProfile(budget int64) *profile {
	root := &Call{Function: -1, Count: 1}
	return &profile{root: root, stack: []*Call{root}, left: budget}
}

// charge takes what was spent since the last moment to the function that runs.
func (p *profile) charge(left int64) *Call {
	top := p.stack[len(p.stack)-1]
	left = max(left, 0)
	top.Fuel += p.left - left
	p.left = left
	return top
}

func (p *profile) enter(function int, left int64) {
	top := p.charge(left)
	at := slices.IndexFunc(top.Calls, func(c *Call) bool { return c.Function == function })
	switch {
	case at >= 0:
		top.Calls[at].Count++
		top = top.Calls[at]
	case p.nodes < maxCalls:
		p.nodes++
		called := &Call{Function: function, Count: 1}
		top.Calls = append(top.Calls, called)
		top = called
	}
	p.stack = append(p.stack, top)
}

func (p *profile) leave(left int64) {
	p.charge(left)
	if len(p.stack) > 1 {
		p.stack = p.stack[:len(p.stack)-1]
	}
}

// listener tells the profile of the evaluation under way of one function's calls.
type listener int

// withListeners makes what is compiled under the context tell of its calls.
func withListeners(ctx context.Context) context.Context {
	return experimental.WithFunctionListenerFactory(ctx, experimental.FunctionListenerFactoryFunc(
		func(f api.FunctionDefinition) experimental.FunctionListener { return listener(f.Index()) }))
}

// profiled is the profile of the evaluation under way, nil for the start section, which has fuel of its own.
func profiled(ctx context.Context) (*profile, int64) {
	i, _ := ctx.Value(evaluationKey{}).(*evaluation)
	if i == nil || i.instance == nil || i.profile == nil {
		return nil, 0
	}
	return i.profile, int64(i.instance.fuel.Get())
}

func (l listener) Before(ctx context.Context, _ api.Module, _ api.FunctionDefinition, _ []uint64,
	_ experimental.StackIterator) {
	if p, left := profiled(ctx); p != nil {
		p.enter(int(l), left)
	}
}

func (l listener) After(ctx context.Context, _ api.Module, _ api.FunctionDefinition, _ []uint64) {
	if p, left := profiled(ctx); p != nil {
		p.leave(left)
	}
}

func (l listener) Abort(ctx context.Context, m api.Module, f api.FunctionDefinition, _ error) {
	l.After(ctx, m, f, nil)
}
