package english

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/order"
)

// Meaning is what the tables say of a code. A name in braces in the sentence stands for the argument of that name, and
// a part in square brackets is left out without its argument.
type Meaning struct{ Kind, Sentence, Remedy string }

// meaningTables are the tables of each kind of code.
var meaningTables = []struct {
	kind   string
	tables []map[string]string
}{
	{"problem", []map[string]string{problems, relayProblems, sealProblems, askingProblems}},
	{"reason", []map[string]string{reasons}},
	{"finding", []map[string]string{findings}},
	{"remark", []map[string]string{remarks}},
	{"fault", []map[string]string{faults}},
	{"status", []map[string]string{statuses}},
}

// Meanings returns what a code means, one entry a kind of code that has it. It is empty for an unknown code. It serves
// the command that explains a code. A code may stand in two kinds, such as a problem and a status. The templates are
// returned as they are, since there are no arguments.
func Meanings(code string) (list []Meaning) {
	for _, of := range meaningTables {
		for _, table := range of.tables {
			if sentence, known := table[code]; known {
				list = append(list, Meaning{of.kind, sentence, Remedy(code, nil)})
			}
		}
	}
	// A map has no order, but a code has at most one cause, so the result does not depend on it.
	for cause, sentence := range causes {
		if string(cause) == code {
			list = append(list, Meaning{"cause", sentence, Remedy(code, nil)})
		}
	}
	return list
}

// Codes lists every code of every kind, sorted.
func Codes() []string {
	var list []string
	for _, of := range meaningTables {
		list = append(list, codes(of.tables...)...)
	}
	for cause := range causes {
		list = append(list, string(cause))
	}
	order.Stable(list, strings.Compare)
	return slices.Compact(list)
}
