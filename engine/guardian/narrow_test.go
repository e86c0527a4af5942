package guardian

import (
	"testing"

	"github.com/tidwall/gjson"
)

// TestNarrow checks that a question from a file is narrowed as an engine narrows its own.
func TestNarrow(t *testing.T) {
	const form = `"form":{"fields":[{"name":"pin","kind":"integer","sensitive":true},{"name":"a","kind":"text"}]}`
	for name, c := range map[string]struct{ declared, permitted, question, want string }{
		"what is not declared is gone": {`["/request/url"]`, `["/request"]`,
			`{"v":1,"request":{"url":"u","message":"m"},"x":7}`, `{"v":1,"request":{"url":"u"},"x":7}`},
		"what is not permitted is gone": {`["/request"]`, `["/request/message"]`,
			`{"request":{"url":"u","message":"m"}}`, `{"request":{"message":"m"}}`},
		"nothing is left": {`[]`, `[]`, `{"request":{"url":"u"},"answer":{"a":1}}`, `{"request":{},"answer":{}}`},
		"places in lists stay": {`["/request/form/fields/*/kind"]`, `["/request/form/fields/1/kind"]`,
			`{"request":{` + form + `}}`, `{"request":{"form":{"fields":[null,{"kind":"text"}]}}}`},
		"places behind others stay": {`["/request/form/fields/*/kind"]`, `["/request/form/fields/0/kind"]`,
			`{"request":{` + form + `}}`, `{"request":{"form":{"fields":[{"kind":"integer"},null]}}}`},
		"a secret is withheld": {`["/answer"]`, `["/answer"]`,
			`{"request":{` + form + `},"answer":{"pin":1234,"a":"b"}}`,
			`{"request":{},"answer":{"a":"b","pin":{"$redacted":"number"}}}`},
		"a secret of each kind is withheld": {`["/answer"]`, `["/answer"]`,
			`{"request":{"form":{"fields":[{"name":"a","kind":"boolean","sensitive":true},` +
				`{"name":"b","kind":"choices","sensitive":true},{"name":"c","kind":"number","sensitive":true},` +
				`{"name":"d","kind":"text","sensitive":true}]}},"answer":{}}`,
			`{"request":{},"answer":{"a":{"$redacted":"boolean"},"b":{"$redacted":"array"},` +
				`"c":{"$redacted":"number"},"d":{"$redacted":"string"}}}`},
		"a secret is named": {`["/answer"]`, `["/answer/pin"]`,
			`{"request":{` + form + `},"answer":{"pin":1234,"a":"b"}}`, `{"request":{},"answer":{"pin":1234}}`},
		"inspected must be named": {`["/request"]`, `["/request"]`,
			`{"request":{"url":"u","inspected":true}}`, `{"request":{"url":"u"}}`},
		"inspected is named": {`["/request/url","/request/findings","/request/inspected"]`, `["/request"]`,
			`{"request":{"url":"u","inspected":false,"message":"m"}}`, `{"request":{"url":"u","inspected":false}}`},
		"inspected needs the findings": {`["/request","/request/inspected"]`, `["/request/url","/request/inspected"]`,
			`{"request":{"url":"u","findings":[{}],"inspected":true}}`, `{"request":{"url":"u"}}`},
		"inspected needs all findings": {`["/request","/request/inspected"]`,
			`["/request/findings/0","/request/inspected"]`,
			`{"request":{"findings":[{"code":"a"}],"inspected":true}}`, `{"request":{"findings":[{"code":"a"}]}}`},
		"inspected must be permitted": {`["/request","/request/inspected"]`, `["/request/url"]`,
			`{"request":{"url":"u","inspected":true}}`, `{"request":{"url":"u"}}`},
		"no object": {`["/request/url"]`, `["/request/url"]`, `{"request":7,"answer":"x"}`, `{"request":{},"answer":{}}`},
	} {
		list, problems := ReadPermits(gjson.Parse(`[{"name":"g","digest":"` + Digest(nil) +
			`","declared":{"phases":["before_send"],"reads":` +
			c.declared + `},"reads":` + c.permitted + `}]`))
		if problems != nil {
			t.Fatal(name, problems)
		}
		if got := string(list[0].Narrow([]byte(c.question))); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
	}
}
