package logpage_test

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/logpage"
)

// No text of a journal stands in the page as it is.
func Example() {
	p := logpage.New(logpage.About{Made: time.UnixMilli(0)})
	p.Begin("elicit.journal")
	p.Record(1, []byte(`{"v":2,"seq":1}`+"\n"))
	p.Entry(logpage.Entry{Seq: 1, Question: -1, Line: "</script>"})
	p.End(logpage.Journal{Records: 1})
	var page bytes.Buffer
	err := p.Write(&page, nil)
	fmt.Println(err, strings.HasPrefix(page.String(), logpage.Begin), strings.Count(page.String(), "</script>"))
	// Output: <nil> true 3
}
