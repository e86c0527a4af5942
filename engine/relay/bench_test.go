package relay

import (
	"github.com/elicit-engine/elicit/engine/effect"

	"bytes"
	"fmt"
	"strings"
	"testing"
)

// passing returns the messages of the benchmarks: the traffic of a connection without questions.
func passing(size int) (call, result, notice []byte) {
	call = []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save","arguments":{"path":"/a"},` +
		`"_meta":{"progressToken":7}}}`)
	head, tail := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`, `"}]}}`
	line := `2026-11-22 10:00:00 INFO worker 7: copied \"/var/lib/data\" to \"/backup\" in 31 ms\n`
	result = []byte(head + strings.Repeat(line, size/len(line)+1)[:size/len(line)*len(line)] + tail)
	notice = []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` +
		strings.Repeat(line, 1+size/len(line)) + `"}}`)
	return call, result, notice
}

// passer is a machine for messages that only pass.
type passer struct {
	m          *Machine
	fromClient Event
	fromServer Event
	random     [32]byte
	wrong      int
	woken      bool
}

func newPasser(tb testing.TB) *passer {
	p := &passer{fromClient: Received{From: Client}, fromServer: Received{From: Server}}
	m, _, problems := New(Config{Server: "s", KeepAlive: 15_000, MaxMessage: 128 << 20}, Input{At: 1})
	if problems != nil {
		tb.Fatal(problems)
	}
	p.m = m
	return p
}

func (p *passer) step(from Event, message []byte) {
	effects := p.m.Step(Input{At: 2, Random: p.random, Event: from, Message: message})
	if wakes := len(effects) - 1; !p.woken && wakes == 1 && effects[wakes] == (effect.Wake{At: 2 + DefaultAnswerWithin}) {
		p.woken, effects = true, effects[:wakes] // once, to look for what the client has not answered
	}
	if len(effects) != 1 || effects[0] != forwards[Client] && effects[0] != forwards[Server] {
		p.wrong++
	}
}

// TestPassingAllocatesNothing checks that a message that only passes causes no allocation.
func TestPassingAllocatesNothing(t *testing.T) {
	for _, size := range []int{100, 1000, 100_000} {
		p := newPasser(t)
		call, result, notice := passing(size)
		texts := bytes.Replace(call, []byte(`"id":1`), []byte(`"id":"a-longer-id-than-a-number-1"`), 1)
		answer := bytes.Replace(result, []byte(`"id":1`), []byte(`"id":"a-longer-id-than-a-number-1"`), 1)
		ping := []byte(`{"jsonrpc":"2.0","id":9,"method":"ping"}`)
		pong := []byte(`{"jsonrpc":"2.0","id":9,"result":{}}`)
		progress := []byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,` +
			`"progress":1,"total":5}}`)
		fault := []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no such file","data":{"path":"/a"}}}`)
		for what, pass := range map[string]func(){
			"a notification":          func() { p.step(p.fromServer, notice) },
			"a call and its result":   func() { p.step(p.fromClient, call); p.step(p.fromServer, result) },
			"a call with a text id":   func() { p.step(p.fromClient, texts); p.step(p.fromServer, answer) },
			"a call and its error":    func() { p.step(p.fromClient, call); p.step(p.fromServer, fault) },
			"a request of the server": func() { p.step(p.fromServer, ping); p.step(p.fromClient, pong) },
			"progress": func() {
				p.step(p.fromClient, call)
				p.step(p.fromServer, progress)
				p.step(p.fromServer, result)
			},
		} {
			pass()
			if n := testing.AllocsPerRun(200, pass); n != 0 {
				t.Errorf("%s of about %d bytes costs %v allocations", what, size, n)
			}
			if p.wrong > 0 {
				t.Fatalf("%s of about %d bytes is not forwarded", what, size)
			}
		}
	}
}

func BenchmarkForward(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20, 64 << 20} {
		call, result, notice := passing(size)
		name := fmt.Sprintf("%dKB", size>>10)
		b.Run("notification/"+name, func(b *testing.B) {
			p := newPasser(b)
			b.SetBytes(int64(len(notice)))
			b.ReportAllocs()
			for b.Loop() {
				p.step(p.fromServer, notice)
			}
			p.check(b)
		})
		b.Run("call+result/"+name, func(b *testing.B) {
			p := newPasser(b)
			b.SetBytes(int64(len(call) + len(result)))
			b.ReportAllocs()
			for b.Loop() {
				p.step(p.fromClient, call)
				p.step(p.fromServer, result)
			}
			p.check(b)
		})
	}
}

func (p *passer) check(b *testing.B) {
	if p.wrong > 0 {
		b.Fatalf("%d messages are not forwarded", p.wrong)
	}
}
