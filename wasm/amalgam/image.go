package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/elicit-engine/elicit/wasm/module"
)

// image is what a module has when it is ready: after its start function, and its beginning, _initialize.
type image struct {
	data, started, ready []byte // its memory before, between and after these two
	globals              []uint64
}

// gap is how many equal bytes between two changes are more than what a new run costs.
const gap = 4

// perImage is how many bytes of memory a file has, at least.
const perImage = 1 << 20

// head begins each file.
const head = "/* Generated from the module. */\n#include \"module.h\"\n\n"

// takeImage runs the beginning of a module with a clock that stands still and random bytes that are always the same, so
// that every run gives the same image. Whoever copies it draws new random numbers.
func takeImage(wasm []byte) (*image, error) {
	wasm, count, err := open(wasm)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	m, err := r.InstantiateWithConfig(ctx, wasm, wazero.NewModuleConfig().WithStartFunctions().
		WithRandSource(counter{}).WithNanotime(func() int64 { return 1 }, 1).WithStderr(io.Discard))
	if err != nil {
		return nil, err
	}
	i := &image{}
	for _, step := range []struct {
		function string
		memory   *[]byte
	}{{"", &i.data}, {startName, &i.started}, {"_initialize", &i.ready}} {
		if step.function != "" {
			f := m.ExportedFunction(step.function)
			if f == nil {
				return nil, fmt.Errorf("the module has no function %s", step.function)
			}
			if _, err := f.Call(ctx); err != nil {
				return nil, err
			}
		}
		if *step.memory, err = memory(m); err != nil {
			return nil, err
		}
	}
	for n := range count {
		i.globals = append(i.globals, m.ExportedGlobal(globalName(n)).Get())
	}
	return i, nil
}

// counter gives bytes that are not random: 0, 1, 2.
type counter struct{}

func (counter) Read(to []byte) (int, error) {
	for i := range to {
		to[i] = byte(i)
	}
	return len(to), nil
}

func memory(m api.Module) ([]byte, error) {
	if m.Memory() == nil {
		return nil, errors.New("the module has no memory")
	}
	view, _ := m.Memory().Read(0, m.Memory().Size())
	return bytes.Clone(view), nil
}

// startName and globalName are the names of exports that open adds.
const startName = "image.start"

func globalName(n uint64) string { return fmt.Sprintf("image.%d", n) }

// Sections of a module.
const (
	globalSection = 6
	exportSection = 7
	startSection  = 8
)

// open exports the globals of a module, and its start function in place of starting it. It returns the number of
// globals.
func open(wasm []byte) (out []byte, count uint64, err error) {
	sections, err := module.Sections(wasm)
	if err != nil {
		return nil, 0, err
	}
	var exports []byte
	var exported uint64
	export := func(name string, kind byte, number uint64) {
		exports = append(binary.AppendUvarint(exports, uint64(len(name))), name...)
		exports = binary.AppendUvarint(append(exports, kind), number)
		exported++
	}
	out = append(out, wasm[:module.HeadSize]...)
	for _, s := range sections {
		if exported > 0 && s.ID > exportSection {
			if s.ID == startSection {
				start, _ := binary.Uvarint(s.Content)
				export(startName, 0, start)
			}
			all := append(binary.AppendUvarint(nil, exported), exports...)
			out = module.Section{ID: exportSection, Content: all}.Append(out)
			exported = 0
		}
		switch s.ID {
		case exportSection:
			var n int
			exported, n = binary.Uvarint(s.Content)
			exports = bytes.Clone(s.Content[n:])
			for i := range count {
				export(globalName(i), 3, i)
			}
			continue
		case startSection:
			continue
		case globalSection:
			count, _ = binary.Uvarint(s.Content)
		}
		out = s.Append(out)
	}
	return out, count, nil
}

// writer writes runs of bytes that differ, in files of C.
type writer struct {
	files                   map[string][]byte
	data                    bytes.Buffer // of the part that is not full yet
	size, end, count, parts int
	list, known             bytes.Buffer
}

// sources writes the image as C.
func (i *image) sources(files map[string][]byte) {
	w := &writer{files: files}
	w.differences(nil, i.data)
	w.flush()
	loaded := w.parts
	w.differences(i.started, i.ready)
	w.flush()
	text := fmt.Appendf(nil, "%s%s\nconst elicit_part elicit_parts[] = {\n%s};\nconst unsigned elicit_part_counts[] = "+
		"{%d, %d};\n\nvoid elicit_set_globals(elicit_module *m) {\n", head, w.known.Bytes(), w.list.Bytes(), loaded, w.parts)
	for n, value := range i.globals {
		text = fmt.Appendf(text, "  m->g%d = %du;\n", n, value)
	}
	files["image.c"] = append(text, "}\n"...)
}

// differences writes where memory differs from what it was before. Memory that is new was zero.
func (w *writer) differences(before, after []byte) {
	before = append(bytes.Clone(before), make([]byte, len(after)-len(before))...)
	for at := 0; at < len(after); at++ {
		if after[at] == before[at] {
			continue
		}
		end := at + 1
		for j := end; j < len(after) && j-end < gap; j++ {
			if after[j] != before[j] {
				end = j + 1
			}
		}
		w.run(at, after[at:end])
		at = end
	}
}

// run writes how far a run is from the end of the one before it, its size, and its bytes.
func (w *writer) run(at int, content []byte) {
	head := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(at-w.end)), uint64(len(content)))
	for _, b := range append(head, content...) {
		fmt.Fprintf(&w.data, "%d,", b)
		if w.size++; w.size%64 == 0 {
			w.data.WriteByte('\n')
		}
	}
	w.end = at + len(content)
	w.count++
	if w.size >= perImage {
		w.flush()
	}
}

// flush ends a file, and begins the next one.
func (w *writer) flush() {
	if w.count == 0 {
		return
	}
	w.files[fmt.Sprintf("image_%02d.c", w.parts)] = fmt.Appendf(nil, "%sconst u8 elicit_bytes_%d[] = {\n%s};\n", head,
		w.parts, w.data.Bytes())
	fmt.Fprintf(&w.known, "extern const u8 elicit_bytes_%d[%d];\n", w.parts, w.size)
	fmt.Fprintf(&w.list, "  {elicit_bytes_%d, %d},\n", w.parts, w.count)
	w.data.Reset()
	w.parts++
	w.size, w.end, w.count = 0, 0, 0
}
