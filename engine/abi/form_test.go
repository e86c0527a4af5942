package abi

import (
	"strings"
	"testing"
)

const deploySchema = `{"schema":{"type":"object","properties":{"region":{"type":"string","enum":["eu","us"]}},` +
	`"required":["region"]}}`

func TestFormHandleChecksAnswers(t *testing.T) {
	var table Table
	h, out, status := table.Call(OpForm, 0, []byte(deploySchema), nil)
	if want := Eval("compile", []byte(deploySchema), nil); status != OK || h == 0 || string(out) != string(want) {
		t.Fatalf("handle %x, status %v\n got %s\nwant %s", h, status, out, want)
	}
	for content, want := range map[string]string{
		`{"region":"eu"}`: `{"problems":[]}`,
		`{"region":"mars"}`: string(Eval("check",
			[]byte(deploySchema[:len(deploySchema)-1]+`,"content":{"region":"mars"},"fill":false}`), nil)),
	} {
		if _, got, status := table.Call(OpCheck, h, []byte(content), nil); status != OK || string(got) != want {
			t.Errorf("%s: status %v\n got %s\nwant %s", content, status, got, want)
		}
	}
	if _, got, status := table.Call(OpStep, h, []byte(`{"save":"s"}`), nil); status != UnknownHandle {
		t.Errorf("a form was stepped: %v %s", status, got)
	}
	if _, _, status := table.Call(OpClose, h, nil, nil); status != OK {
		t.Errorf("close: %v", status)
	}
	if _, got, status := table.Call(OpCheck, h, []byte(`{}`), nil); status != UnknownHandle {
		t.Errorf("a closed form checked: %v %s", status, got)
	}
}

func TestFormWithProblemsOpensNothing(t *testing.T) {
	var table Table
	h, out, status := table.Call(OpForm, 0, []byte(`{"schema":{"type":"array"}}`), nil)
	if h != 0 || status != Invalid || !strings.HasPrefix(string(out), `{"problems":[{`) {
		t.Errorf("handle %x, status %v: %s", h, status, out)
	}
}

func TestEngineHandleChecksNothing(t *testing.T) {
	var table Table
	h := opened(t, &table)
	if _, got, status := table.Call(OpCheck, h, []byte(`{}`), nil); status != UnknownHandle {
		t.Errorf("an engine was asked as a form: %v %s", status, got)
	}
}

// TestCallReachesEveryOperation compares the numbers with the names in describe.
func TestCallReachesEveryOperation(t *testing.T) {
	var table Table
	for _, name := range Ops() {
		_, got, status := table.Call(EvalOp(name), 0, []byte(`{}`), nil)
		if want := Eval(name, []byte(`{}`), nil); status != OK || string(got) != string(want) {
			t.Errorf("%s: status %v\n got %s\nwant %s", name, status, got, want)
		}
	}
	for _, op := range []Op{10, 15, FirstEval + Op(len(evalOrder)), 1 << 31} {
		if _, got, status := table.Call(op, 0, nil, nil); status != Invalid || !strings.Contains(string(got), "unknown_op") {
			t.Errorf("operation %d: status %v, %s", op, status, got)
		}
	}
}

// TestModules compares the table of the operations with the maps that the builds have.
func TestModules(t *testing.T) {
	for _, op := range evalOrder {
		in := map[Module]evalOp{Core: evalOps[op.name], Browser: answeringOps[op.name], Full: moreOps[op.name]}
		for module, run := range in {
			if (run != nil) != (module == op.since) {
				t.Errorf("%s: the table says %s, and %s has it: %t", op.name, op.since, module, run != nil)
			}
		}
	}
	if n := len(evalOps) + len(answeringOps) + len(moreOps); n != len(evalOrder) {
		t.Errorf("the maps have %d operations, the table has %d", n, len(evalOrder))
	}
	core, browser, full := OpsWithout(Core), OpsWithout(Browser), OpsWithout(Full)
	if len(core) != len(evalOrder)-len(evalOps) || len(browser) != len(moreOps) || len(full) != 0 {
		t.Errorf("without %v, %v and %v", core, browser, full)
	}
}
