package schema_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// A schema becomes an ordered form. Answers are checked, and absent fields get their defaults.
func ExampleCompile() {
	form, problems := schema.Compile([]byte(`{"type":"object","required":["region"],"properties":{
		"region": {"type":"string","enum":["eu","us"],"title":"Region"},
		"copies": {"type":"integer","minimum":1,"default":2}}}`), schema.Options{})
	if problems != nil {
		panic(problems)
	}
	for _, field := range form.Fields {
		fmt.Println(field.Name, field.Label, field.Required)
	}
	for _, p := range form.Check([]byte(`{"region":"moon","copies":0}`)) {
		fmt.Println(p.Pointer, p.Code)
	}
	fmt.Printf("%s\n", form.Fill(nil, []byte(`{"region":"eu"}`)))
	// Output:
	// region Region true
	// copies Copies false
	// /region not_a_choice
	// /copies too_low
	// {"region":"eu","copies":2}
}

// Coerce reads what a person typed as text.
func ExampleForm_Coerce() {
	form, _ := schema.Compile([]byte(`{"type":"object","properties":{"copies":{"type":"integer"}}}`), schema.Options{})
	content, problems := form.Coerce(nil, []schema.Typed{schema.TypedText("copies", " 12 ")})
	fmt.Printf("%s %v\n", content, problems)
	_, problems = form.Coerce(nil, []schema.Typed{schema.TypedText("copies", "a dozen")})
	fmt.Println(problems[0].Pointer, problems[0].Code)
	// Output:
	// {"copies":12} []
	// /copies not_a_number
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) { vectors.Run(t, abi.Eval, "schema", "check", "coerce") }
