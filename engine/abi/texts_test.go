package abi

import (
	"encoding/json"
	"strings"
	"testing"
)

// A caller that asks for texts gets the same output but for two documents, which are strings of the same bytes. The
// schema has numbers that a reader of JSON would spell in another way.
func TestTexts(t *testing.T) {
	const head = `{"config":{"guardians":[{"name":"g","host":true,"reads":["/request"],"phases":["before_show"]}]}`
	const given = `,"at":1000,"random":"` + "0000000000000000000000000000000000000000000000000000000000000000" + `"}`
	ask := strings.Replace(askEvent, `"properties":{}`,
		`"properties":{"n":{"type":"number","maximum":1e400,"minimum":1.50}}`, 1)
	outputs := func(texts string) (all []string) {
		var table Table
		h, out, status := table.Open([]byte(head+texts+given), []byte("kept "))
		if status != OK {
			t.Fatalf("%v %s", status, out)
		}
		all = append(all, string(out[5:]))
		for _, in := range []string{openEvent, ask} {
			all = append(all, step(t, &table, h, strings.TrimSuffix(in, "}")+given, OK))
		}
		return append(all, step(t, &table, h, `{"list":"grants"}`, OK))
	}
	records, questions := 0, 0
	raw, quoted := outputs(`,"texts":false`), outputs(`,"texts":true`)
	for i := range raw {
		var want, got struct{ Effects []map[string]json.RawMessage }
		if json.Unmarshal([]byte(raw[i]), &want) != nil || json.Unmarshal([]byte(quoted[i]), &got) != nil ||
			len(got.Effects) != len(want.Effects) {
			t.Fatalf("output %d:\n got %s\nwant %s", i, quoted[i], raw[i])
		}
		if len(want.Effects) == 0 && quoted[i] != raw[i] {
			t.Errorf("output %d:\n got %s\nwant %s", i, quoted[i], raw[i])
		}
		for j, effect := range want.Effects {
			for name, value := range effect {
				var text string
				switch effect := string(effect["effect"]); {
				case effect == `"append"` && name == "record":
					records++
					_ = json.Unmarshal(got.Effects[j][name], &text)
				case effect == `"consult"` && name == "question":
					questions++
					_ = json.Unmarshal(got.Effects[j]["question_text"], &text)
				default:
					text = string(got.Effects[j][name])
				}
				if text != string(value) {
					t.Errorf("output %d, effect %d, %s:\n got %s\nwant %s", i, j, name, text, value)
				}
			}
			if len(got.Effects[j]) != len(effect) {
				t.Errorf("output %d: %s", i, quoted[i])
			}
		}
	}
	if records < 3 || questions != 1 || !strings.Contains(strings.Join(quoted, ""), `\"maximum\":1e400`) {
		t.Errorf("%d records, %d questions: %s", records, questions, quoted)
	}
}

func TestTextsIsYesOrNo(t *testing.T) {
	var table Table
	for input, want := range map[string]string{`{"config":{},"texts":1}`: "bad_input", `{"texts":true}`: "unknown_member",
		`{"relay":{"server":"s"},"texts":null}`: "bad_input"} {
		if _, out, status := table.Open([]byte(input), nil); status != Invalid || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v %s", input, status, out)
		}
	}
}

func TestTextsInsideOthers(t *testing.T) {
	const before, after = `{"effects":[{"effect":"consult","session":"s","ask":{"effect":"consult",`, `,"round":1}}]}`
	lists := `{"effects":[{"effect":"append","session":"s","records":["{}"]},{"effect":"show","record":{}}]}`
	state := `{"state":{"effects":[{"effect":"append","record":{}}]}}`
	for in, want := range map[string]string{lists: lists, state: state,
		before + `"question":{"n":1.50}` + after: before + `"question_text":"{\"n\":1.50}"` + after,
	} {
		if got := string(inTexts([]byte("kept"+in), 4)); got != "kept"+want {
			t.Errorf("%s:\n got %s\nwant kept%s", in, got, want)
		}
	}
}
