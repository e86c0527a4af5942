package schema

import (
	"fmt"
	"strings"
	"testing"
)

// TestIndexFindsEveryName also tries names that have all hashed bytes in common.
func TestIndexFindsEveryName(t *testing.T) {
	var b strings.Builder
	const names = 100
	for i := range names {
		fmt.Fprintf(&b, `,"a%02daaa%02daaaa":{"type":"boolean"}`, i, i)
	}
	f := compiled(t, `{"type":"object","properties":{`+b.String()[1:]+`}}`)
	for i := range f.Fields {
		if got := f.Field(f.Fields[i].Name); got != &f.Fields[i] {
			t.Errorf("%s: found %v", f.Fields[i].Name, got)
		}
	}
	if got := f.Field("a00aaa01aaaa"); got != nil {
		t.Errorf("found %s for a name that is no field", got.Name)
	}
}
