package guestcase_test

import (
	"fmt"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/internal/guestcase"
)

func ExampleInspected() {
	asked := guestcase.Inspected([]byte(`{"v":1,"request":{"message":"rm -rf /srv"}}`))
	fmt.Println(gjson.GetBytes(asked, "request.findings.0.code"))
	fmt.Println(string(guestcase.Inspected([]byte(`{"v":1,"request":{}}`))))
	// Output:
	// text_destructive
	// {"v":1,"request":{"inspected":true}}
}

// TestInspected checks what a question gets, and which questions stay as they are.
func TestInspected(t *testing.T) {
	for question, want := range map[string]string{
		`{"request":{"inspected":false,"message":"rm -rf /"}}`: `{"request":{"inspected":false,"message":"rm -rf /"}}`,
		`{"request":{"findings":[],"message":"rm -rf /"}}`:     `{"request":{"findings":[],"message":"rm -rf /"}}`,
		`{"request":7}`: `{"request":7}`,
		`{"v":1}`:       `{"v":1}`,
		`{"request":{"url":"https://1.2.3.4/"},"seed":"00"}`: `{"request":{"url":"https://1.2.3.4/","findings":[{` +
			`"code":"url_ip_literal","severity":"medium","pointer":"/url","start":8,"end":15,"evidence":"1.2.3.4",` +
			`"args":{"address":"1.2.3.4","reach":"public"}}],"inspected":true},"seed":"00"}`,
		`{"request":{"form":{"fields":[null,{"name":"pin","label":"PIN","kind":"choice"}]}}}`: `{"request":{"form":{` +
			`"fields":[null,{"name":"pin","label":"PIN","kind":"choice"}]},"inspected":true}}`,
		`{"request":{"command":"mkfs /dev/sda","outside":true}}`: `{"request":{"command":"mkfs /dev/sda","outside":true,` +
			`"findings":[{"code":"command_destructive","severity":"high","pointer":"/command","start":0,"end":13,` +
			`"evidence":"mkfs /dev/sda","args":{"count":1,"kind":"disk"}},{"code":"patch_outside","severity":"low",` +
			`"pointer":"/command","start":0,"end":13,"evidence":"mkfs /dev/sda"}],"inspected":true,` +
			`"impacts":[{"impact":"runs","target":"mkfs","at":0,"end":4},{"impact":"changes","target":"disk",` +
			`"program":"mkfs","at":0,"end":4}]}}`,
		`{"request":{"does":"patch","paths":["/srv/x"],"impacts":[]}}`: `{"request":{"does":"patch",` +
			`"paths":["/srv/x"],"impacts":[],"inspected":true}}`,
	} {
		if got := string(guestcase.Inspected([]byte(question))); got != want {
			t.Errorf("%s\n got %s\nwant %s", question, got, want)
		}
	}
}
