package main

import "testing"

// The rule is plain Go, so most of it is tested without Wasm: go test.
func TestRule(t *testing.T) {
	const settings = `{"allow":["example.com"],"words":["transfer"]}`
	for name, c := range map[string]struct{ request, want string }{
		"allowed":    {`{"url":"https://example.com/"}`, `{"v":1,"decision":"pass"}`},
		"other host": {`{"url":"https://evil.example/"}`, `{"v":1,"decision":"deny","findings":[{"code":"host_not_allowed","pointer":"/request/url","message":"evil.example is not among the allowed hosts","severity":"high"}]}`},
		"a word":     {`{"message":"Transfer!"}`, `{"v":1,"decision":"ask","findings":[{"code":"word","pointer":"/request/message","message":"the message says: transfer","severity":"medium"}]}`},
	} {
		question := `{"v":1,"phase":"before_show","at":0,"request":` + c.request + `,"settings":` + settings + `}`
		if got := string(judge(Value(question))); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
	}
	if got, want := string(fit(`{"allow":1}`)), `{"v":1,"problems":[{"pointer":"/allow","message":"must be a list of texts"}]}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// An obligation too many must not be lost.
func TestObligations(t *testing.T) {
	var v Verdict
	for range 8 {
		v.Redact("/answer/email")
	}
	if v.Decision != Pass || v.obliges.count != 8 {
		t.Errorf("eight: decision %d, %d obligations", v.Decision, v.obliges.count)
	}
	if v.SecondPerson(); v.Decision != Deny {
		t.Errorf("nine: decision %d", v.Decision)
	}
	if n, ok := Value(`{"a":[{"b":-7}]}`).Get("/a/0/b").Int(); n != -7 || !ok {
		t.Errorf("got %d, %v", n, ok)
	}
}
