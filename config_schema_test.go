package elicit_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/google/jsonschema-go/jsonschema"
)

// TestSchemaAgreesWithTheEngine checks that the published schema accepts what the engine accepts, and refuses what it
// refuses: for a document with everything, and for each way to get a member wrong.
func TestSchemaAgreesWithTheEngine(t *testing.T) {
	var s jsonschema.Schema
	must.Unmarshal(t, must.Read(t, "docs/config.schema.json"), &s)
	for _, layer := range []string{"managed", "user", "project", "session"} {
		s.Defs["policy"].Properties[layer].Ref = "" // engine/policy holds that schema to its reader
	}
	resolved, err := s.Resolve(nil)
	must.OK(t, err)
	everything, err := json.Marshal(full())
	must.OK(t, err)
	docs := []string{string(everything), `{}`, `{"another":1}`, `{"limits":{"another":1}}`, `{"policy":{"other":{}}}`,
		`{"guardians":[{}]}`, `{"guardians":[{"name":"n","mode":"off"}]}`, `{"profile":"strict"}`, `{"servers":[7]}`,
		`{"guardians":[{"name":"n","fuel":50000001}]}`, `{"guardians":[{"name":"n","digest":"ab"}]}`}
	for _, key := range engine.ConfigKeys() {
		docs = append(docs, fmt.Sprintf(`{%q:null}`, key.Name), fmt.Sprintf(`{%q:7}`, key.Name))
	}
	for _, l := range engine.Limits() {
		for _, n := range []int{l.Least - 1, l.Least, l.Most, l.Most + 1} {
			docs = append(docs, fmt.Sprintf(`{"limits":{%q:%d}}`, l.Name, n))
		}
		docs = append(docs, fmt.Sprintf(`{"limits":{%q:"1"}}`, l.Name))
	}
	for _, doc := range docs {
		var value any
		must.Unmarshal(t, doc, &value)
		problems, _ := engine.CheckConfig([]byte(doc))
		if err := resolved.Validate(value); (err == nil) != (len(problems) == 0) {
			t.Errorf("%s: the schema says %v, the engine %v", doc, err, problems)
		}
	}
}
