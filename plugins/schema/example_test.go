package schema_test

import (
	"encoding/json"
	"fmt"

	"github.com/elicit-engine/elicit/plugins/schema"
)

// A guardian that is a program reads a question and writes a verdict.
func ExampleVerdict() {
	var q schema.Question
	question := `{"v":1,"phase":"before_show","at":1000,"request":{"server":"backup","message":"Go on?"},` +
		`"settings":{},"seed":""}`
	if err := json.Unmarshal([]byte(question), &q); err != nil {
		panic(err)
	}
	verdict, err := json.Marshal(schema.Verdict{V: 1, Decision: "pass"})
	fmt.Println(q.Request.Server, string(verdict), err)
	// Output: backup {"v":1,"decision":"pass"} <nil>
}
