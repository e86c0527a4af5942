package journal_test

import (
	"bytes"
	"fmt"

	"github.com/elicit-engine/elicit/engine/journal"
)

// Each record has the hash of the one before it, so a change anywhere is found.
func ExampleReader() {
	var file []byte
	var head journal.Head
	for _, event := range []string{`{"event":"ticked"}`, `{"event":"ticked","n":2}`} {
		var line []byte
		line, head = journal.Append(nil, head, journal.Record{At: 1000, Event: []byte(event), Effects: []byte(`[]`),
			Sum: "00"})
		file = append(append(file, line...), '\n')
	}
	for _, doc := range [][]byte{file, bytes.Replace(file, []byte("1000"), []byte("1001"), 1)} {
		r, records := journal.NewReader(doc), 0
		for _, ok := r.Next(); ok; _, ok = r.Next() {
			records++
		}
		fmt.Println(records, r.Problem() == nil)
	}
	// Output:
	// 2 true
	// 0 false
}
