package structform_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/structform"
)

func Example() {
	schema, err := structform.Schema(reflect.TypeFor[struct {
		Count *int `json:"count" min:"1" default:"2"`
	}]())
	fmt.Println(string(schema), err)
	// Output: {"type":"object","properties":{"count":{"type":"integer","minimum":1,"default":2}}} <nil>
}

func TestSchemaNamesTheField(t *testing.T) {
	for of, want := range map[reflect.Type]string{
		reflect.TypeFor[int]():                         "int is not a struct",
		reflect.TypeFor[struct{ At map[string]int }](): "field At of",
		reflect.TypeFor[struct{ Names []string }]():    "a list needs an enum",
		reflect.TypeFor[struct {
			N int `format:"email"`
		}](): "only a string has a format",
		reflect.TypeFor[struct {
			N int `min:"low"`
		}](): `tag min: "low" is not a number`,
	} {
		if schema, err := structform.Schema(of); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s, %v; want %q", of, schema, err, want)
		}
	}
}
