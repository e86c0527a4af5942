package kept

import (
	"encoding/binary"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/must"
)

// life steps the machine of one vector through the interface that all bindings use.
type life struct {
	table  abi.Table
	handle abi.Handle
	at     int64
	steps  uint64
	ids    []string
}

func begin(opening string) (*life, []byte) {
	l := &life{}
	l.table.World = abi.World{Now: func() int64 { return l.at }, Random: func(to *[32]byte) bool {
		l.steps++
		binary.LittleEndian.PutUint64(to[:], l.steps)
		return true
	}}
	h, out, status := l.table.Open([]byte(opening), nil)
	if status != abi.OK {
		return nil, out
	}
	l.handle = h
	return l, out
}

var id = regexp.MustCompile(`"id":"([0-9a-f]{32})"`)

// step gives an input of a vector to the machine, with the ids for which its names stand.
func (l *life) step(input string) gjson.Result {
	l.at = max(l.at, gjson.Get(input, "at").Int())
	for i, id := range l.ids {
		input = strings.ReplaceAll(input, `"$`+strconv.Itoa(i+1)+`"`, `"`+id+`"`)
	}
	out, _ := l.table.Step(l.handle, []byte(input), nil)
	for _, found := range id.FindAllSubmatch(out, -1) {
		if name := string(found[1]); !strings.Contains(strings.Join(l.ids, " "), name) {
			l.ids = append(l.ids, name)
		}
	}
	return gjson.ParseBytes(out)
}

// states keeps, of many vectors, the machine at the moment when it holds most.
func states(t *testing.T) (out []map[string]any) {
	for _, of := range []struct {
		family, member, save string
		bytes                int
	}{{"step", "config", "s", 36 << 10}, {"guardian", "config", "s", 16 << 10}, {"asking", "asking", "true", 30 << 10}} {
		all := shown(t, of.family)
		left := of.bytes
		for _, name := range spread(all) {
			in := gjson.Get(all[name], "in")
			if !in.Get("inputs").IsArray() || in.Get("config_text").Exists() {
				continue
			}
			config := "{}"
			if v := in.Get(of.member); v.Exists() {
				config = string(compact(t, v.Raw))
			}
			state, at := fullest(t, of.member, config, of.save, in.Get("inputs").Array())
			if state == "" || len(state) > left {
				continue
			}
			left -= len(state)
			one := map[string]any{"name": name, of.member: json.RawMessage(config), "at": at,
				"state": json.RawMessage(state)}
			text, err := json.Marshal(one)
			must.OK(t, err)
			one["want"] = resume(gjson.ParseBytes(text))
			out = append(out, one)
		}
	}
	return out
}

func fullest(t *testing.T, member, config, save string, inputs []gjson.Result) (state string, at int64) {
	l, _ := begin(`{"` + member + `":` + config + `}`)
	if l == nil {
		return "", 0
	}
	request := `{"save":true}`
	if save != "true" {
		request = `{"save":"` + save + `"}`
	}
	least := `"open":[]`
	for _, input := range inputs {
		l.step(string(compact(t, input.Raw)))
		now := l.step(request).Get("state").Raw
		if len(now) > len(state) && !strings.Contains(now, least) {
			state, at = now, l.at
		}
	}
	return state, at
}

// resume gives a state to a new machine and returns each effect with its id, but no records and no time to wake.
func resume(one gjson.Result) (effects []string) {
	at := strconv.FormatInt(one.Get("at").Int(), 10)
	var list gjson.Result
	if asking := one.Get("asking"); asking.Exists() {
		_, out := begin(`{"asking":` + asking.Raw + `,"at":` + at + `,"state":` + one.Get("state").Raw + `}`)
		list = gjson.ParseBytes(out)
	} else {
		l, out := begin(`{"config":` + one.Get("config").Raw + `}`)
		if l == nil {
			return []string{string(out)}
		}
		list = l.step(`{"at":` + at + `,"event":{"event":"resumed","state":` + one.Get("state").Raw + `}}`)
	}
	if problems := list.Get("problems"); problems.Exists() {
		return []string{problems.Raw}
	}
	effects = []string{}
	for _, effect := range list.Get("effects").Array() {
		if name := effect.Get("effect").Str; name != "append" && name != "wake" {
			effects = append(effects, strings.TrimSpace(name+" "+effect.Get("id").Str))
		}
	}
	return effects
}
