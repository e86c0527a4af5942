package layout

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/internal/vectors"
)

func TestPolicy(t *testing.T) {
	tests := []struct{ name, doc, want string }{
		{"members in order", `{"rules":[],"approval_policy":"never","$schema":"s","version":1}`,
			"{\n  \"$schema\": \"s\",\n  \"version\": 1,\n  \"approval_policy\": \"never\",\n  \"rules\": []\n}\n"},
		{"a rule is spread", `{"version":1,"rules":[{"then":"ask","when":{"tool":["b","a"],"server":"x"},"name":"n"}]}`,
			"{\n  \"version\": 1,\n  \"rules\": [\n    {\n      \"name\": \"n\",\n" +
				"      \"when\": {\"server\": \"x\", \"tool\": [\"b\", \"a\"]},\n" +
				"      \"then\": \"ask\"\n    }\n  ]\n}\n"},
		{"granular", `{"version":1,"approval_policy":{"granular":{"rules":true,"mcp_elicitations":false,` +
			`"sandbox_approval":true}}}`, "{\n  \"version\": 1,\n  \"approval_policy\": {\n    \"granular\": " +
			"{\"mcp_elicitations\": false, \"sandbox_approval\": true, \"rules\": true}\n  }\n}\n"},
		{"strings", `{"version":1,"rules":[{"when":{"message":"\u0041\u00e9\/\u202e"},"then":"ask"}]}`,
			"{\n  \"version\": 1,\n  \"rules\": [\n" +
				"    {\n      \"when\": {\"message\": \"Aé/\u202e\"},\n      \"then\": \"ask\"\n    }\n  ]\n}\n"},
		{"unless", `{"version":1,"rules":[{"then":"ask","unless":{"tool":"b","server":"x"},"when":{}}]}`,
			"{\n  \"version\": 1,\n  \"rules\": [\n    {\n      \"when\": {},\n" +
				"      \"unless\": {\"server\": \"x\", \"tool\": \"b\"},\n      \"then\": \"ask\"\n    }\n  ]\n}\n"},
		{"servers keep their order",
			`{"version":1,"servers":{` +
				`"mode":{"tools":{"then":{"approvals":"auto","approval_policy":"never"}},"trust":true},"access":{}}}`,
			"{\n  \"version\": 1,\n  \"servers\": {\n" +
				"    \"mode\": {\"trust\": true, " +
				"\"tools\": {\"then\": {\"approval_policy\": \"never\", \"approvals\": \"auto\"}}},\n" +
				"    \"access\": {}\n  }\n}\n"},
		{"empty", `{}`, "{}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(Policy([]byte(tt.doc))); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestLongListsAreBroken(t *testing.T) {
	hosts := strings.Repeat(`"host.example.com",`, 12)
	got := string(Policy([]byte(`{"version":1,"rules":[{"when":{"host":[` + hosts + `"z"]},"then":"ask"}]}`)))
	for line := range strings.SplitSeq(got, "\n") {
		if len(line) > width {
			t.Errorf("%d characters: %s", len(line), line)
		}
	}
	if !strings.Contains(got, "\n          \"host.example.com\",\n") {
		t.Errorf("a list that does not fit is not one line an element:\n%s", got)
	}
}

// TestLayoutKeepsAndRests lays out every policy of the vectors. The value stays the same, a second call changes
// nothing, and the parser gives the same result.
func TestLayoutKeepsAndRests(t *testing.T) {
	tried := 0
	for _, v := range vectors.Read(t) {
		var in struct{ Policy map[string]json.RawMessage }
		if json.Unmarshal(v.In, &in) != nil {
			continue
		}
		for _, doc := range in.Policy {
			if _, problems := policy.Parse(policy.User, doc); problems == nil {
				tried++
				rests(t, v.String(), doc)
			}
		}
	}
	if tried < 150 {
		t.Errorf("only %d policies tried", tried)
	}
}

func rests(t *testing.T, name string, doc []byte) {
	t.Helper()
	once := Policy(doc)
	if twice := Policy(once); !bytes.Equal(once, twice) {
		t.Errorf("%s: laying out again changes\n%sto\n%s", name, once, twice)
	}
	if _, problems := policy.Parse(policy.User, once); problems != nil {
		t.Errorf("%s: %v in\n%s", name, problems, once)
	}
	var was, is any
	if json.Unmarshal(doc, &was) != nil || json.Unmarshal(once, &is) != nil || !reflect.DeepEqual(was, is) {
		t.Errorf("%s: %s\nbecame\n%s", name, doc, once)
	}
}
