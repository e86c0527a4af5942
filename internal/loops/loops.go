// Package loops makes scripts for the loops of hosts from the vectors of connections. A script is one connection: what
// its host is given at which time, and everything that the host must perform then, byte for byte. The same scripts run
// through the loop of each language. Read its steps in order:
//
//   - open: open the connection, and perform what there is to do
//   - alone: the same, in a host that asks no guardians
//   - client, server: a message of that end arrives
//   - event: an event arrives, as for elicit_step
//   - pass: time has passed, and a timer of the host ends
//
// All random bytes are zero, so the outputs repeat.
package loops

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/internal/hostscript"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// Script and Step are those of package hostscript, which runs them.
type (
	Script = hostscript.Script
	Step   = hostscript.Step
)

// Read makes the scripts of all vectors in a directory. A vector has one as it is, one with a journal that fails, and
// one with a wall clock that is set while the host's timers end. A vector that asks a guardian has one more, with a
// host that asks none. Read leaves out vectors about inputs that cannot be read.
func Read(root string) (scripts []Script, left []string, err error) {
	files, err := filepath.Glob(filepath.Join(root, "*", "*.json"))
	if err != nil {
		return nil, nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, nil, err
		}
		if !bytes.Contains(text, []byte(`"relay"`)) {
			continue
		}
		list, err := vectors.Parse(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), text)
		if err != nil {
			return nil, nil, err
		}
		for _, v := range list {
			if v.Op != "relay" {
				continue
			}
			made, err := Make(v)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", v, err)
			}
			if made == nil {
				left = append(left, v.String())
			}
			scripts = append(scripts, made...)
		}
	}
	return scripts, left, nil
}

// Keep adds what of a host passed, of all, to the file that ELICIT_HOSTS names. internal/hostkit makes docs/hosts.md of
// these lines.
func Keep(host, what string, passed, all int) error {
	name := os.Getenv("ELICIT_HOSTS")
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%s %s %d %d\n", host, what, passed, all)
	return errors.Join(err, file.Close())
}

// KeepScripts adds connections and scenarios, of which the named ones failed. Only a script of a vector has # in its
// name.
func KeepScripts(host string, scripts []Script, failed []string) error {
	all, wrong := map[bool]int{}, map[bool]int{}
	for _, s := range scripts {
		all[strings.Contains(s.Name, "#")]++
	}
	for _, name := range failed {
		wrong[strings.Contains(name, "#")]++
	}
	return errors.Join(Keep(host, "connections", all[true]-wrong[true], all[true]),
		Keep(host, "scenarios", all[false]-wrong[false], all[false]))
}

// given is an input of a vector.
type given struct {
	kind        string
	at, elapsed int64  // elapsed is -1 for none
	event       []byte // with "$1" for ids
	message     []byte
	beside      bool // the message stands beside an event
	cut         bool
}

// Make returns the scripts of a vector, or none if its inputs cannot be read.
func Make(v vectors.Vector) ([]Script, error) {
	var in struct {
		Relay  json.RawMessage
		Inputs []json.RawMessage
	}
	var want struct{ Effects [][]json.RawMessage }
	if err := json.Unmarshal(v.In, &in); err != nil {
		return nil, nil // a vector about a document with other types
	}
	if err := json.Unmarshal(v.Output(), &want); err != nil || want.Effects == nil {
		return nil, err
	}
	inputs := make([]given, len(in.Inputs))
	for i, raw := range in.Inputs {
		var err error
		if inputs[i], err = readInput(raw); err != nil {
			return nil, err
		}
	}
	relay := string(in.Relay)
	r := runner{relay: relay, keeps: -1}
	plain, err := r.run(v.String(), inputs)
	if err != nil {
		return nil, err
	}
	if err := r.compare(plain, want.Effects, bytes.Contains(v.In, []byte(`"records"`))); err != nil {
		return nil, err
	}
	scripts := []Script{plain}
	if r.records > 0 {
		number := fnv.New32()
		number.Write([]byte(v.TCID))
		r := runner{relay: relay, keeps: int(number.Sum32() % uint32(r.records))}
		fails, err := r.run(v.String()+" with a journal that fails", inputs)
		if err != nil {
			return nil, err
		}
		scripts = append(scripts, fails)
	}
	r = runner{relay: relay, keeps: -1, passes: true}
	jumps, err := r.run(v.String()+" with a clock that is set", jumping(inputs))
	if err != nil {
		return nil, err
	}
	scripts = append(scripts, jumps)
	if slices.Contains(plain.Effects(), "consult") {
		r := runner{relay: relay, keeps: -1, alone: true}
		alone, err := r.run(v.String()+" with nobody to ask", inputs)
		if err != nil {
			return nil, err
		}
		scripts = append(scripts, alone)
	}
	return scripts, nil
}

func readInput(raw json.RawMessage) (g given, err error) {
	var in map[string]json.RawMessage
	if err = json.Unmarshal(raw, &in); err != nil {
		return g, err
	}
	number := func(name string, missing int64) int64 {
		n := missing
		if text, ok := in[name]; ok {
			err = json.Unmarshal(text, &n)
		}
		return n
	}
	text := func(name string) (said string, is bool) {
		if raw, ok := in[name]; ok {
			return said, json.Unmarshal(raw, &said) == nil
		}
		return "", false
	}
	for _, end := range []string{"client", "server"} {
		if message, is := text(end); is {
			g.kind, g.message = end, []byte(message)
		}
		if coded, is := text(end + "_base64"); is {
			g.kind = end
			g.message, err = base64.StdEncoding.DecodeString(coded)
		}
	}
	g.at, g.elapsed, g.cut = number("at", 0), number("elapsed", -1), string(in["cut"]) == "true"
	if g.kind == "" {
		g.kind, g.event = "event", in["event"]
		if len(g.event) > 0 && g.event[0] == '"' { // a bare event
			g.event, g.at, g.elapsed = raw, 0, -1
		}
		message, is := text("message")
		if g.beside = is; is {
			g.message = []byte(message)
		}
	}
	return g, err
}

// jumping gives inputs a clock that no one sets, and sets the wall clock forth and back.
func jumping(inputs []given) []given {
	out := make([]given, len(inputs))
	last, hour := int64(0), int64(3_600_000)
	for i, g := range inputs {
		elapsed := max(g.at, last)
		if g.elapsed >= 0 {
			elapsed = max(g.elapsed, last)
		}
		last = elapsed
		g.at, g.elapsed = max(0, elapsed+[]int64{0, hour, -hour, 24 * hour}[i%4]), elapsed
		out[i] = g
	}
	return out
}

var named = regexp.MustCompile(`"(id|grant)"\s*:\s*"\$(\d+)"`)

// withIDs replaces "$1" in an event by the id that effects have named first, as the operation relay does.
func withIDs(event []byte, ids []string) []byte {
	return named.ReplaceAllFunc(event, func(found []byte) []byte {
		m := named.FindSubmatch(found)
		n, _ := strconv.Atoi(string(m[2]))
		if n < 1 || n > len(ids) {
			return found
		}
		return fmt.Appendf(nil, `"%s":"%s"`, m[1], ids[n-1])
	})
}

func step(kind string, at, elapsed int64, input []byte) Step {
	s := Step{Kind: kind, At: at, Elapsed: elapsed, Input: string(input), Want: []string{}}
	if !utf8.Valid(input) {
		s.Input, s.Hex = "", hex.EncodeToString(input)
	}
	return s
}
