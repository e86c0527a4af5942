package kept

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

var into = flag.String("make", "", "write what the engine of this checkout leaves behind into this directory")

const root = "../../.."

// TestMake writes the files of a new commit. It does nothing without -make. The examples come from the vectors.
func TestMake(t *testing.T) {
	if *into == "" {
		t.Skip("-make DIRECTORY writes the files")
	}
	put(t, "journals.txtar", txtar.Format(&txtar.Archive{Files: journals(t)}))
	states := states(t)
	put(t, "states.jsonl", lines(t, states))
	put(t, "calls.jsonl", lines(t, calls(t)))
	makeStores(t, states)
}

func put(t *testing.T, name string, text []byte) {
	t.Helper()
	must.OK(t, os.WriteFile(filepath.Join(*into, name), text, 0o644))
}

func lines(t *testing.T, all []map[string]any) []byte {
	var out bytes.Buffer
	for _, one := range all {
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		must.OK(t, encoder.Encode(one))
	}
	return out.Bytes()
}

// shown returns the vectors of a family by name, as text.
func shown(t *testing.T, family string) map[string]string {
	out := map[string]string{}
	for _, v := range vectors.Read(t, family) {
		out[v.TCID] = string(v.Text)
	}
	return out
}

var version = regexp.MustCompile(`"protocolVersion": ?"([^"]*)"`)

// spread orders names so that the first few have many subjects: one of each first word and each date before a second.
func spread(of map[string]string) []string {
	seen, rank := map[string]int{}, map[string]int{}
	names := slices.Sorted(maps.Keys(of))
	for _, name := range names {
		subject := strings.SplitN(filepath.Base(name), "-", 2)[0]
		if date := version.FindStringSubmatch(of[name]); date != nil {
			subject += date[1]
		}
		rank[name] = seen[subject]
		seen[subject]++
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank[a] - rank[b] })
	return names
}

// journals runs vectors and returns the journals of those that replay, up to a size for each family.
func journals(t *testing.T) (files []txtar.File) {
	for _, of := range []struct {
		family string
		bytes  int
	}{{"step", 110 << 10}, {"guardian", 50 << 10}, {"relay", 110 << 10}, {"acp", 40 << 10}, {"codex", 50 << 10},
		{"asking", 40 << 10}} {
		all := shown(t, of.family)
		left := of.bytes
		for _, name := range spread(all) {
			op := gjson.Get(all[name], "op").Str
			if op != "run" && op != "relay" && op != "asking" {
				continue
			}
			in := `{"records":true,` + strings.TrimPrefix(gjson.Get(all[name], "in").Raw, "{")
			for i, journal := range split(abi.Eval(op, []byte(in), nil)) {
				if r := engine.Replay(journal, nil); r.Problem != nil || r.Records < 3 || len(journal) > left {
					continue
				}
				left -= len(journal)
				files = append(files, txtar.File{Name: fmt.Sprintf("%s-%d.jsonl", name, i+1), Data: journal})
			}
		}
	}
	slices.SortFunc(files, func(a, b txtar.File) int { return strings.Compare(a.Name, b.Name) })
	return files
}

// split returns the journals in the effects of a run. A machine that was loaded begins a new one.
func split(effects []byte) (out [][]byte) {
	for _, list := range gjson.GetBytes(effects, "effects").Array() {
		for _, effect := range list.Array() {
			record := effect.Get("record")
			if effect.Get("effect").Str != "append" {
				continue
			}
			if record.Get("seq").Int() == 1 {
				out = append(out, nil)
			}
			if len(out) > 0 {
				out[len(out)-1] = append(append(out[len(out)-1], record.Raw...), '\n')
			}
		}
	}
	return out
}

// calls are policies with the facts that they decided, and sealed tokens with what opens them.
func calls(t *testing.T) (out []map[string]any) {
	for _, family := range []string{"policy", "seal"} {
		all := shown(t, family)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			op := gjson.Get(all[name], "op").Str
			if op != "decide" && op != "unseal" {
				continue
			}
			want := answer(t, func(member string) gjson.Result { return gjson.Get(all[name], "want."+member) })
			out = append(out, map[string]any{"name": name, "op": op, "want": want,
				"in": json.RawMessage(compact(t, gjson.Get(all[name], "in").Raw))})
		}
	}
	return out
}

// answer takes what counts from the result of a call.
func answer(t *testing.T, of func(member string) gjson.Result) map[string]any {
	t.Helper()
	out := map[string]any{}
	for _, member := range []string{"outcome", "by", "claims", "problems.#.code"} {
		if v := of(member); v.Exists() {
			out[member] = json.RawMessage(compact(t, v.Raw))
		}
	}
	return out
}

func compact(t *testing.T, text string) []byte {
	var out bytes.Buffer
	must.OK(t, json.Compact(&out, []byte(text)))
	return out.Bytes()
}
