package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/elicit-engine/elicit/engine/abi"
)

// ready gives a module the memory that it has when it has begun and answered calls of each kind. An instance in C is a
// copy, and makes no tables.
func ready(wasm []byte) ([]byte, error) {
	memory, err := warmed(wasm)
	if err != nil {
		return nil, err
	}
	return withData(wasm, memory)
}

// same gives bytes that are not random: every run gives the same image, and each copy draws new seeds.
type same byte

func (s same) Read(to []byte) (int, error) {
	for i := range to {
		to[i] = byte(s)
	}
	return len(to), nil
}

// warmed returns the memory of an instance after calls.
func warmed(wasm []byte) ([]byte, error) {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	m, err := r.InstantiateWithConfig(ctx, wasm, wazero.NewModuleConfig().WithStartFunctions().WithRandSource(same(1)))
	if err != nil {
		return nil, err
	}
	memory, _ := m.Memory().Read(0, m.Memory().Size())
	stack := len(memory) - len(bytes.TrimLeft(memory, "\x00")) // it is before all data, and empty between calls
	if _, err := m.ExportedFunction("_initialize").Call(ctx); err != nil {
		return nil, err
	}
	if err := warm(caller{ctx, m}); err != nil {
		return nil, err
	}
	if int(m.Memory().Size()) != len(memory) {
		return nil, errors.New("the calls made the memory larger")
	}
	memory, _ = m.Memory().Read(0, m.Memory().Size())
	clear(memory[:stack])
	return bytes.Clone(memory), nil
}

// caller calls an instance.
type caller struct {
	ctx context.Context
	api.Module
}

// call returns the handle that was opened, the output, and the status.
func (c caller) call(op abi.Op, handle uint64, input string) (uint64, string, abi.Status) {
	at, err := c.ExportedFunction("elicit_input").Call(c.ctx, uint64(len(input)))
	if err != nil || !c.Memory().WriteString(uint32(at[0]), input) {
		return 0, "", abi.Internal
	}
	packed, err := c.ExportedFunction("elicit_call").Call(c.ctx, uint64(op), handle, 0, uint64(len(input)))
	if err != nil {
		return 0, "", abi.Internal
	}
	out, _ := c.Memory().Read(uint32(packed[0]>>32), uint32(packed[0]))
	if len(out) < 16 {
		return 0, "", abi.Internal
	}
	return binary.LittleEndian.Uint64(out[8:]), string(out[16:]), abi.Status(binary.LittleEndian.Uint32(out))
}

const (
	form = `{"type":"object","properties":{"days":{"type":"integer","maximum":30},"mail":{"type":"string",` +
		`"format":"email"},"site":{"type":"string","format":"uri"},"on":{"type":"string","format":"date","title":"Day"},` +
		`"code":{"type":"string","pattern":"^[A-Z]{2}$"},"how":{"enum":["soon","late"]}}}`
	answer = `{"days":7,"mail":"ann@example.org","site":"https://example.org","on":"2026-12-24","code":"AB","how":"soon"}`
	opens  = `{"relay":{"server":"s","role":"client","modes":["form","url"],"session":{"version":"2025-11-25",` +
		`"declared":["form","url"]},"config":{"policy":{"user":{"version":1,"rules":[{"name":"r","when":` +
		`{"sensitive":true},"then":"decline"}]}}}}}`
	asks = `{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Your password?",` +
		`"requestedSchema":` + form + `}}`
	sends = `{"jsonrpc":"2.0","id":8,"method":"elicitation/create","params":{"mode":"url","elicitationId":"e",` +
		`"message":"Sign in.","url":"https://login.example.org/a?b=c"}}`
	answers = `{"event":{"event":"answered","session":"form+url","id":"%s","action":"accept","content":` + answer + `}}`
)

// warm asks and answers, so that the engine makes its tables. The module core only checks.
func warm(c caller) error {
	if handle, _, status := c.call(abi.OpForm, 0, `{"schema":`+form+`}`); status == abi.OK {
		c.call(abi.OpCheck, handle, answer)
		c.call(abi.OpClose, handle, "")
	}
	c.call(abi.EvalOp("check"), 0, `{"schema":`+form+`,"content":`+answer+`}`)
	handle, out, status := c.call(abi.OpOpen, 0, opens)
	if status == abi.OK && strings.HasPrefix(out, `{"effects":[`) {
		_, out, _ = c.call(abi.OpServer, handle, asks)
		_, shown, found := strings.Cut(out, `{"effect":"show"`)
		_, id, is := strings.Cut(shown, `"id":"`)
		if !found || !is || len(id) < 32 {
			return fmt.Errorf("a question was not shown: %s", out)
		}
		if _, out, status = c.call(abi.OpStep, handle, fmt.Sprintf(answers, id[:32])); status != abi.OK {
			return fmt.Errorf("an answer was refused: %s", out)
		}
		c.call(abi.OpServer, handle, sends)
		_, _, status = c.call(abi.OpClose, handle, "")
	}
	if status == abi.Internal {
		return errors.New("a call ended in a trap")
	}
	return nil
}

// gap is how many zeros end a segment, because a new one costs as much.
const gap = 32

// withData gives a module this memory to begin with, and removes the custom sections, one of which has the names of
// functions.
func withData(wasm, memory []byte) ([]byte, error) {
	const head, custom, data, count = 8, 0, 11, 12
	if len(wasm) < head {
		return nil, errShort
	}
	var list []byte
	n := uint64(0)
	for at := 0; at < len(memory); at++ {
		if memory[at] == 0 {
			continue
		}
		end := at + 1
		for i := end; i < len(memory) && i-end < gap; i++ {
			if memory[i] != 0 {
				end = i + 1
			}
		}
		list = append(appendSigned(append(list, 0, 0x41), int64(at)), 0x0b)
		list = append(binary.AppendUvarint(list, uint64(end-at)), memory[at:end]...)
		n, at = n+1, end
	}
	list = append(binary.AppendUvarint(nil, n), list...)
	out := wasm[:head:head]
	section := func(id byte, content []byte) {
		out = append(binary.AppendUvarint(append(out, id), uint64(len(content))), content...)
	}
	for rest := wasm[head:]; len(rest) > 0; {
		size, s := binary.Uvarint(rest[1:])
		if s <= 0 || size > uint64(len(rest)-1-s) {
			return nil, errShort
		}
		id, content := rest[0], rest[1+s:1+s+int(size)]
		switch rest = rest[1+s+int(size):]; id {
		case custom:
		case count:
			section(id, binary.AppendUvarint(nil, n))
		case data:
			section(id, list)
		default:
			section(id, content)
		}
	}
	return out, nil
}

var errShort = errors.New("the module ends too early")

// appendSigned appends a number of at least 0 as LEB128 with a sign.
func appendSigned(to []byte, n int64) []byte {
	for ; n > 63; n >>= 7 {
		to = append(to, byte(n&127)|128)
	}
	return append(to, byte(n))
}
