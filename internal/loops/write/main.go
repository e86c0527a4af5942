// Command write writes the scripts of package loops into a file, one a line, for tests in other languages:
//
//	go run ./internal/loops/write dist/loops.jsonl
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/elicit-engine/elicit/internal/loops"
)

func main() {
	if err := write("testdata/vectors", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(vectors, path string) error {
	scripts, _, err := loops.Read(vectors)
	if err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewWriter(file)
	each := json.NewEncoder(lines)
	each.SetEscapeHTML(false)
	for _, script := range scripts {
		if err := each.Encode(script); err != nil {
			return err
		}
	}
	return lines.Flush()
}
