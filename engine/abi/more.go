//go:build !browser

package abi

import (
	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/asking/site"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// moreOps has the operations for servers and agents, and for authors of servers and policies. A page that only asks
// does not need them.
var moreOps = map[string]evalOp{
	"asking":            evalAsking,
	"compare":           evalCompare,
	"decrypt":           evalDecrypt,
	"encrypt":           evalEncrypt,
	"impacts":           evalImpacts,
	"lint":              evalLint,
	"seal":              evalSeal,
	"simulate":          evalSimulate,
	"unseal":            evalUnseal,
	"decode_hook":       evalDecodeHook,
	"encode_hook":       evalEncodeHook,
	"decode_interrupts": evalDecodeInterrupts,
	"answer_interrupts": evalAnswerInterrupts,
	"decode_codex":      evalDecodeCodex,
	"encode_codex":      evalEncodeCodex,
}

// moreOpeners has the machines for authors of servers.
var moreOpeners = map[string]opener{"asking": openAsking, "asker": openAsker}

// maxOpen is the most bytes of an input that opens a machine.
const maxOpen = maxAsking

// governs says that a host may read the policy of a machine's administrator. It is a constant, so the compiler leaves
// the call out of the other builds.
const governs = true

// describeAsking describes machines of the asking side.
var describeAsking = func(dst []byte) []byte {
	o := jsontext.Begin(dst)
	jsontext.Strings(&o, "events", asking.EventNames())
	jsontext.Strings(&o, "effects", asking.EffectNames())
	jsontext.Strings(&o, "offers", asking.Offers())
	jsontext.Strings(&o, "orders", asking.Orders())
	jsontext.List(&o, "config", asking.ConfigKeys())
	o.Name("asker", func(dst []byte) []byte {
		o := jsontext.Begin(dst)
		jsontext.Strings(&o, "events", asker.EventNames())
		jsontext.Strings(&o, "effects", asker.EffectNames())
		jsontext.Strings(&o, "failures", asker.Failures())
		o.Int("most_body", site.MostBody)
		return o.End()
	})
	return o.End()
}
