package host

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// FuzzGuest changes bytes of good and hostile guests. An accepted guest gives one result on both engines, within its
// fuel, and the same again.
func FuzzGuest(f *testing.F) {
	for _, g := range hostileGuests() {
		if src := g.guest.Bytes(); len(src) < 2000 {
			f.Add(src, uint16(0), byte(0), uint32(5000))
		}
	}
	f.Add(assemble.Saying(pass).Bytes(), uint16(60), byte(1), uint32(100))
	interpreter, compiler := New(Options{}), New(Options{Compiler: true})
	f.Fuzz(func(t *testing.T, src []byte, at uint16, flip byte, fuel uint32) {
		if len(src) == 0 || len(src) > 4096 {
			return
		}
		src = append([]byte(nil), src...)
		src[int(at)%len(src)] ^= flip
		e := Evaluation{Question: []byte("a question"), Fuel: int64(fuel%50_000) + 1, WASI: true}
		var results [3]string
		for i, h := range []*Host{interpreter, compiler, interpreter} {
			m, problems := h.Load(src, guest.Options{WASI: true})
			for _, p := range problems {
				if p.Code == "engine_refused" {
					t.Fatalf("the meter let through what wazero refuses: %+v", p)
				}
			}
			if problems != nil {
				return
			}
			e.Digest = m.Digest
			r := h.Evaluate(e)
			if r.Fuel > e.Fuel || (r.Fault == "") == (r.Output == nil) || r.Fault == guardian.FaultInternal {
				t.Fatalf("%s: %s", same(r), r.Detail)
			}
			results[i] = same(r)
			if again := same(h.Evaluate(e)); again != results[i] {
				t.Fatalf("twice not the same:\n%s\n%s", results[i], again)
			}
			h.forget(m.Digest)
		}
		if results[0] != results[1] || results[0] != results[2] {
			t.Fatalf("one guest, three results:\n%s\n%s\n%s", results[0], results[1], results[2])
		}
	})
}
