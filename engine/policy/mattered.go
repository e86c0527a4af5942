package policy

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// A layer may change a decision although none of its rules matches and its approval policy has no say: access and
// reviewer give the approval policies of other layers their meaning, and self-protection is in force because of any
// layer. Such a layer is found by deciding again without it.

// Decide says what happens to a request. It is total: any facts and any stack give an outcome with reasons. If the
// request may belong to several calls, the strictest of their decisions holds.
func (s Stack) Decide(f *Facts) Decision {
	if s.asFormat2 {
		return s.decideAll(f, nil)
	}
	var x *texts // a command is read once for all decisions
	if s.settles {
		x = &texts{}
	}
	d := s.decideAll(f, x)
	s.nameSilent(f, &d, x)
	return d
}

// nameSilent adds a reason for each layer that changed the outcome and that no reason names. Only access and reviewer
// act silently, so layers without them are skipped: most decisions need no second run. A stack of one layer is looked
// at in any case, because self-protection is in force by it.
func (s Stack) nameSilent(f *Facts, d *Decision, x *texts) {
	for i := range s.layers {
		p := s.layers[i].Policy
		if p.setting() == (setting{}) && len(s.layers) > 1 || names(d.Reasons, p.layer) {
			continue
		}
		if without := s.without(p.layer).decideAll(f, x); without.Outcome != d.Outcome {
			d.Reasons = append(d.Reasons, mattered(p.layer, without.Outcome))
			d.since3 = true
		}
	}
}

// names reports whether some reason comes from the layer.
func names(reasons []elicit.Reason, l Layer) bool {
	return slices.ContainsFunc(reasons, func(r elicit.Reason) bool { return r.Layer == l.String() })
}

// without returns the stack without the policies of a layer. The settings are joined again by NewStack, since they
// depend on all layers.
func (s Stack) without(l Layer) Stack {
	var rest []*Policy
	for i := range s.layers {
		if s.layers[i].layer != l {
			rest = append(rest, s.layers[i].Policy)
		}
	}
	return NewStack(rest...)
}

// mattered is the reason of a layer that changed the outcome silently. without is the outcome that it prevented.
func mattered(l Layer, without Outcome) elicit.Reason {
	return elicit.Reason{Code: codeMattered, Layer: l.String(),
		Args: []elicit.Arg{elicit.Str("without", without.String())}}
}
