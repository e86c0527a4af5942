package host

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// TestImportsInStart: a start section gets nothing from the host but an end, because browsers could not give it more.
func TestImportsInStart(t *testing.T) {
	list := hosts(t)
	ops, call, i32 := assemble.Code, assemble.Call, assemble.Const
	yields := ops(call(1), i32('0'), 0x6a) // sched_yield, in one digit
	for _, c := range []struct {
		name   string
		start  []byte
		fault  guardian.Fault
		output string
	}{
		{"asks for chance", ops(i32(16), i32(1), call(2), i32(52), 0x47, 0x04, 0x40, 0x00, 0x0b), "", pass},
		{"yields", ops(call(1), i32(52), 0x47, 0x04, 0x40, 0x00, 0x0b), "", pass},
		{"logs", ops(i32(1), i32(16), i32(4), call(0)), "", pass},
		{"exits", ops(i32(0), call(3)), guardian.FaultExit, ""},
		{"traps when it is not answered as it likes", ops(yields, i32('0'), 0x47, 0x04, 0x40, 0x00, 0x0b),
			guardian.FaultStart, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := assemble.New()
			m.Import("elicit_guardian_v1", "log", "iii", "")
			m.Import("wasi_snapshot_preview1", "sched_yield", "", "i")
			m.Import("wasi_snapshot_preview1", "random_get", "ii", "i")
			m.Import("wasi_snapshot_preview1", "proc_exit", "i", "")
			m.Global("elicit_guardian_abi", assemble.I32, false, i32(1<<16))
			m.Func("elicit_alloc", "i", "i", i32(4096))
			m.Func("elicit_evaluate", "ii", "I", assemble.Says(16, len(pass)))
			m.Func("elicit_check_settings", "ii", "I", assemble.Says(0, 0))
			m.Data, m.DataAt = []byte(pass), 16
			m.Start = m.Func("", "", "", c.start)
			r := both(t, list, m.Bytes(), Evaluation{Question: []byte("{}"), WASI: true})
			if r.Fault != c.fault || string(r.Output) != c.output || len(r.Log) > 0 {
				t.Errorf("got %s (%s); want fault %q, output %q and no log", same(r), r.Detail, c.fault, c.output)
			}
		})
	}
}
