package relay

import (
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/testdata/hostile"
)

// hostileLine is one line of testdata/hostile. The README.md there describes the format.
type hostileLine struct {
	name, text string
	from       End
}

// hostileLines reads the lines. Those of a server are for call 5, those of a client for question 77, as in ready.
func hostileLines(t testing.TB) (lines []hostileLine) {
	t.Helper()
	for file, from := range map[string]End{"questions": Server, "answers": Server, "harmless": Server, "forged": Client} {
		list, err := hostile.Read("../../testdata/hostile", file)
		if err != nil {
			t.Fatal(err)
		}
		given := map[string]string{"$q": "9", "$id": "5", "$t": "5", "$members": `"action":"accept","content":{}`}
		if from == Client {
			given["$q"], given["$t"] = "77", "77"
		}
		for _, l := range list {
			lines = append(lines, hostileLine{file + "/" + l.Name, hostile.Put(l.Text, given), from})
		}
	}
	if len(lines) < 200 {
		t.Fatalf("%d lines", len(lines))
	}
	slices.SortFunc(lines, func(a, b hostileLine) int { return strings.Compare(a.name, b.name) })
	return lines
}
