// Package hostscript runs scripts through the loop of a host, a program that holds a connection of the engine, and
// says what the program does wrong. It plays both peers, the clock, the timers and the disk of the host.
package hostscript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Host is a program that runs scripts. It reads calls from its standard input, each a line with bytes after it:
//
//	open KEEPS AT ELAPSED SIZE   open a connection with these SIZE bytes, and a journal that takes KEEPS records; -1: all
//	alone KEEPS AT ELAPSED SIZE  the same, in a host that asks no guardians
//	client AT ELAPSED SIZE       a message of the client arrives; server likewise
//	event AT ELAPSED SIZE        an event arrives
//	pass AT ELAPSED 0            a timer of the host has ended
//	close 0 0 0                  close the connection
//
// AT and ELAPSED are the times of the call; the host has no others. After each call but the last it writes each thing
// that it performs, as Step.Want has it: its size in bytes, a line end, the item and a line end. Then it writes "wait
// MILLISECONDS" and a line end: when its timer must end, or -1. Records and messages are compared byte for byte, other
// effects as JSON. A host may handle effects about guardians ("problem") itself. The engine in the program is the real
// one, and no message breaks it. So no script has the effect new_journal or the status "internal". A connection cannot
// be saved, so none resumes one.
type Host struct {
	In  io.Writer
	Out *bufio.Reader
}

// Wrong is the first step that a host performed otherwise.
type Wrong struct {
	Script string
	About  string
	Step   int
	Why    string // one of the sentences of judge
	Got    []string
	Want   Step
	Wait   int64
}

func (w *Wrong) Error() string {
	about := w.Script
	if w.About != "" {
		about += " (" + w.About + ")"
	}
	return fmt.Sprintf("%s, step %d: %s\n got %s\n     wait %d\nwant %s\n     wait %d", about, w.Step, w.Why,
		listed(w.Got), w.Wait, listed(w.Want.Want), w.Want.Wait)
}

// listed writes items below each other, long ones shortened.
func listed(items []string) string {
	short := slices.Clone(items)
	for i, item := range short {
		if len(item) > 2000 {
			short[i] = fmt.Sprintf("%s… (%d bytes)", item[:500], len(item))
		}
	}
	return strings.Join(short, "\n     ")
}

// Run runs a script and closes the connection. An error that is no Wrong ends the host.
func (h Host) Run(s Script) (wrong *Wrong, err error) {
	for i, step := range s.Steps {
		input := step.Bytes()
		fmt.Fprint(h.In, step.Kind)
		if step.Opens() {
			input = step.Opening(s.Relay)
			fmt.Fprintf(h.In, " %d", s.Keeps)
		}
		fmt.Fprintf(h.In, " %d %d %d\n%s", step.At, step.Elapsed, len(input), input)
		items, wait, err := h.items()
		if err != nil {
			return nil, fmt.Errorf("%s, step %d: the host ended: %w", s.Name, i, err)
		}
		items, want := slices.DeleteFunc(items, aboutGuardian), step
		want.Want = slices.DeleteFunc(slices.Clone(step.Want), aboutGuardian)
		for i := range want.Want {
			want.Want[i] = step.filled(want.Want[i])
		}
		if why := judge(s, want, items, wait); why != "" {
			wrong = &Wrong{s.Name, s.About, i, why, items, want, wait}
			break
		}
	}
	_, err = fmt.Fprint(h.In, "close 0 0 0\n")
	return wrong, err
}

func aboutGuardian(item string) bool {
	return strings.HasPrefix(item, `{"effect":"problem","about":"guardian"`)
}

// items reads what the host performed, and how long it waits.
func (h Host) items() (items []string, wait int64, err error) {
	items = []string{}
	for {
		line, err := h.Out.ReadString('\n')
		if err != nil {
			return nil, 0, err
		}
		line = strings.TrimSpace(line)
		if ms, waits := strings.CutPrefix(line, "wait "); waits {
			wait, err = strconv.ParseInt(ms, 10, 64)
			return items, wait, err
		}
		size, err := strconv.Atoi(line)
		if err != nil || size < 0 {
			return nil, 0, fmt.Errorf("%q is neither a size nor a wait", line)
		}
		item := make([]byte, size+1)
		if _, err := io.ReadFull(h.Out, item); err != nil {
			return nil, 0, err
		}
		items = append(items, string(bytes.TrimSuffix(item, []byte("\n"))))
	}
}

// recheck is the longest wait of the loop. It is no deadline, so a timer that was set earlier may end first.
const recheck = 20_000

// judge says what a host did wrong in a step, or "".
func judge(s Script, want Step, got []string, wait int64) string {
	same := slices.EqualFunc(got, want.Want, alike)
	records := func(items []string) (list []string) {
		for _, item := range items {
			if strings.HasPrefix(item, "append ") || item == "new_journal" {
				list = append(list, item)
			}
		}
		return list
	}
	if same && (wait == want.Wait || want.Wait == recheck && 0 < wait && wait < recheck) {
		return ""
	}
	switch kept, wanted, lost := records(got), records(want.Want), dropped(want, got); {
	case same && wait < 0:
		return drops + "wake"
	case same && (want.Wait >= 0 && wait > want.Wait):
		return "its timer ends too late"
	case same:
		return "its timer ends too early"
	case s.Steps[0].Kind == "alone" && waits(want.Want, got):
		return "it does not say that it cannot ask a guardian"
	case lost != "":
		return drops + lost
	case want.Opens() && len(got) == 0:
		return "it drops the effects of opening"
	case want.Kind == "pass" && len(want.Want) == 0:
		return "it ticks before the time"
	case want.Kind == "pass" && len(got) == 0:
		return "it does not tick when its timer has ended"
	case s.Keeps >= 0 && len(kept) > len(wanted):
		return "it gives a record again that the journal did not take"
	case permutation(got, want.Want):
		return "it performs effects in another order"
	case len(kept) < len(wanted):
		return "it does not keep every record"
	case !slices.Equal(kept, wanted):
		return "it changes the bytes of a record"
	case s.Keeps >= 0:
		return "it goes on as if the journal had not failed"
	case len(got) < len(want.Want):
		return "it does not perform every effect"
	case len(got) > len(want.Want):
		return "it performs an effect twice"
	}
	return "it changes an effect or the bytes of a message"
}

// waits reports whether a host did the first of two steps only: the second one begins with a record.
func waits(want, got []string) bool {
	return 0 < len(got) && len(got) < len(want) && slices.EqualFunc(got, want[:len(got)], alike) &&
		strings.HasPrefix(want[len(got)], "append ")
}

const drops = "it drops the effect "

// dropped is the one effect that a host left out of a step, or "".
func dropped(want Step, got []string) string {
	for _, item := range want.Want {
		name := want.effect(item)
		others := slices.DeleteFunc(slices.Clone(want.Want), func(one string) bool { return want.effect(one) == name })
		if slices.EqualFunc(got, others, alike) {
			return name
		}
	}
	return ""
}

// alike compares two items: effects as JSON, everything else byte for byte.
func alike(a, b string) bool {
	if a == b || !strings.HasPrefix(a, "{") || !strings.HasPrefix(b, "{") {
		return a == b
	}
	return reflect.DeepEqual(decoded(a), decoded(b))
}

func decoded(text string) (value any) {
	read := json.NewDecoder(strings.NewReader(text))
	read.UseNumber()
	if read.Decode(&value) != nil {
		return text
	}
	return value
}

func permutation(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
