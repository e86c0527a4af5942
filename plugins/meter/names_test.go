package meter

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// TestFunctionNames reads a name section, and makes nothing of a broken one.
func TestFunctionNames(t *testing.T) {
	module := assemble.Saying(`{}`).Bytes()
	section := func(content string) []byte {
		body := "\x04name" + content
		return append(append([]byte{}, module...), "\x00"+string(rune(len(body)))+body...)
	}
	const functions = "\x01\x0a\x02\x00\x03one\x02\x02é"
	for name, c := range map[string]struct{ content, want string }{
		"two names":               {"\x00\x02\x01m" + functions, "map[0:one 2:é]"},
		"behind another":          {"\x02\x01\x00" + functions, "map[0:one 2:é]"},
		"none":                    {"", "map[]"},
		"a length out of bounds":  {"\x01\x7f\x02\x00\x03one", "map[]"},
		"a count out of bounds":   {"\x01\x03\x7f\x00\x00", "map[]"},
		"the second is cut short": {"\x01\x07\x02\x00\x03one\x02", "map[0:one]"},
		"not UTF-8":               {"\x01\x04\x01\x00\x01\xff", "map[]"},
	} {
		if got := fmt.Sprint(FunctionNames(section(c.content))); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
	if got := FunctionNames([]byte(strings.Repeat("x", 20))); len(got) > 0 {
		t.Errorf("no module, but %v", got)
	}
}
