package jsontext

import (
	"strings"
	"testing"
)

// walkDocument reads a document with the pull methods only.
func walkDocument(doc []byte, lim Limits) *Fault {
	var s Scanner
	s.Reset(doc, lim)
	walk(&s)
	s.End()
	return s.Fault()
}

func walk(s *Scanner) {
	switch s.Peek() {
	case KindObject:
		for s.Enter(); s.More(); walk(s) {
			s.Key()
		}
	case KindArray:
		for s.Enter(); s.More(); {
			walk(s)
		}
	case KindString:
		s.Text()
	case KindNumber:
		s.Number()
	case KindBool:
		s.Bool()
	case KindNull:
		s.Null()
	}
}

// members reads a document as walkDocument does, but reads the members of objects with Member.
func members(doc []byte, lim Limits) *Fault {
	var s Scanner
	s.Reset(doc, lim)
	if s.Peek() == KindObject {
		s.Enter()
		for {
			m, ok := s.Member()
			if !ok {
				break
			}
			if doc[m.Key] != '"' || doc[m.KeyEnd-1] != '"' || Check(doc[m.Value:m.ValueEnd], lim) != nil {
				return &Fault{Code: "misplaced"}
			}
		}
	} else {
		s.Skip()
	}
	s.End()
	return s.Fault()
}

func TestScannerReads(t *testing.T) {
	doc := []byte(` { "n" : -1.50e2 , "s": "é\uD83D\uDE00\n", "b":[true,false,null] , "rest": { "x" : [1] } } `)
	var s Scanner
	s.Reset(doc, Limits{})
	var log []string
	note := func(v string) { log = append(log, v) }
	for s.Enter(); s.More(); {
		key := s.Key()
		note(string(s.AppendPointer(nil)))
		switch s.Peek() {
		case KindNumber:
			note(string(s.Number().Raw))
		case KindString:
			text := s.Text()
			if text.Runes != 3 || !text.Escaped {
				t.Errorf("text %+v: want 3 runes, escaped", text)
			}
			note(text.String())
		case KindArray:
			for s.Enter(); s.More(); {
				if s.Peek() == KindBool {
					note(map[bool]string{true: "yes", false: "no"}[s.Bool()])
				} else {
					s.Null()
					note(string(s.AppendPointer(nil)))
				}
			}
		default:
			start := s.Offset()
			raw := s.Skip()
			if string(doc[start:s.Offset()]) != string(raw) {
				t.Errorf("%s: offsets %d-%d do not span %q", key.String(), start, s.Offset(), raw)
			}
			note(string(raw))
		}
	}
	if !s.End() {
		t.Fatal(s.Fault())
	}
	want := "/n|-1.50e2|/s|é😀\n|/b|yes|no|/b/2|/rest|{ \"x\" : [1] }"
	if got := strings.Join(log, "|"); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestScannerAfterFault calls every method after a fault: nothing moves, nothing panics, the first fault stays.
func TestScannerAfterFault(t *testing.T) {
	for _, tt := range faults {
		var s Scanner
		s.Reset([]byte(tt.doc), Limits{})
		walk(&s)
		s.End()
		first, at := s.Fault(), s.Offset()
		if s.Enter() || s.More() || s.Bool() || s.End() || s.Peek() != KindInvalid || s.Skip() != nil ||
			s.Text().Raw != nil || s.Number().Raw != nil || s.Key().Raw != nil {
			t.Errorf("%s: something was read behind the fault", tt.name)
		}
		s.Null()
		if s.Fault() != first || s.Offset() != at {
			t.Errorf("%s: fault %+v at %d became %+v at %d", tt.name, first, at, s.Fault(), s.Offset())
		}
	}
}

// TestScannerMisuse calls methods that do not fit the document. Each call is a fault, so a wrong caller fails closed.
func TestScannerMisuse(t *testing.T) {
	calls := map[string]func(*Scanner){
		"text of a number": func(s *Scanner) { s.Enter(); s.More(); s.Text() },
		"enter a scalar":   func(s *Scanner) { s.Enter(); s.More(); s.Enter() },
		"two values":       func(s *Scanner) { s.Enter(); s.More(); s.Skip(); s.Skip() },
		"end inside":       func(s *Scanner) { s.Enter(); s.More(); s.End() },
		"member of a list": func(s *Scanner) { s.Enter(); s.More(); s.Key(); s.Enter(); s.Member() },
		"end at once":      func(s *Scanner) { s.End() },
		"value behind end": func(s *Scanner) { s.Skip(); s.End(); s.Skip() },
	}
	for name, call := range calls {
		var s Scanner
		s.Reset([]byte(`[1,2]`), Limits{})
		if call(&s); s.Fault() == nil {
			t.Errorf("%s: no fault", name)
		}
	}
	var s Scanner
	for _, doc := range []string{`{}`, `{"a"}`, `{"a","b"}`, `{"` + strings.Repeat(`a","`, 40) + `"}`, `{"a":1}`} {
		s.Reset([]byte(doc), Limits{})
		for s.Enter(); s.More(); {
			s.Skip()
		}
		if s.End() != (doc == `{}`) {
			t.Errorf("%s read as an array: fault %+v", doc, s.Fault())
		}
	}
	s.Reset([]byte(`{"a":"b":1}`), Limits{})
	for s.Enter(); s.More(); s.Skip() {
		s.Key()
		s.Key()
	}
	if s.End() {
		t.Error("two keys for one member")
	}
	s.Reset([]byte(`[1`), Limits{})
	s.Enter()
	s.More()
	s.Skip()
	if s.End() || s.Fault().Code != CodeTruncated {
		t.Error("the end of the bytes is not the end of the document")
	}
	var zero Scanner
	if zero.More() || zero.Enter() || zero.End() || zero.Fault() == nil {
		t.Error("a Scanner that was never reset must fail")
	}
}

// TestScannerReuse checks that nothing of one document, valid or not, remains for the next.
func TestScannerReuse(t *testing.T) {
	var s Scanner
	docs := []string{answer, `{"a":{"b":[`, string(manyKeys(6000)), `{"a":1,"a":2}`, `[1]`, strings.Repeat("[", 50),
		answer}
	for _, doc := range docs {
		want := Check([]byte(doc), Limits{})
		s.Reset([]byte(doc), Limits{})
		s.Skip()
		s.End()
		if got := s.Fault(); (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%.30q: got %+v want %+v", doc, got, want)
		}
		if s.Reset(nil, Limits{}); len(s.manyKeys) > retained {
			t.Errorf("%.30q: room for %d keys is kept", doc, len(s.manyKeys))
		}
	}
}
