package main

import (
	"strings"
	"unicode/utf8"
)

// Decision is what a verdict says, in the order of strictness.
type Decision int

const (
	Pass Decision = iota
	Allow
	Ask
	Deny
)

// Severity is how bad a finding is.
type Severity int

const (
	Info Severity = iota
	Low
	Medium
	High
	Critical
)

// Verdict is what the guardian says; without a word of it, pass.
type Verdict struct {
	Decision          Decision
	findings, obliges list
}

// list holds items as the host reads them. A finding that does not fit is taken back.
type list struct {
	text  []byte
	count int
}

// add appends an object of names and texts; a name that begins with "?" is left out when its text is "".
func (l *list) add(most int, pairs ...string) bool {
	before := len(l.text)
	open := ",{"
	if before == 0 {
		open = "{"
	}
	l.text = append(l.text, open...)
	for i := 0; i < len(pairs); i += 2 {
		name, optional := strings.CutPrefix(pairs[i], "?")
		if optional && pairs[i+1] == "" {
			continue
		}
		if i > 0 {
			l.text = append(l.text, ',')
		}
		l.text = append(quote(l.text, name), ':')
		l.text = quote(l.text, pairs[i+1])
	}
	l.text = append(l.text, '}')
	if len(l.text) > most {
		l.text = l.text[:before]
		return false
	}
	l.count++
	return true
}

// Decide decides, unless something stricter was decided before.
func (v *Verdict) Decide(d Decision) { v.Decision = max(v.Decision, d) }

// Find tells what was found. The host reads 32 findings; those behind are dropped here, and messages cut at 500 bytes.
func (v *Verdict) Find(s Severity, code, pointer, message string) {
	if v.findings.count < 32 {
		severity := [...]string{"info", "low", "medium", "high", "critical"}[s]
		v.findings.add(12<<10, "code", code, "?pointer", pointer, "message", cut(message), "severity", severity)
	}
}

// Redact obliges the host to leave this part of the answer out. Only before an answer is sent.
func (v *Verdict) Redact(pointer string) { v.oblige("redact", pointer) }

// SecondPerson obliges the host to let another person approve. Only before an answer is sent.
func (v *Verdict) SecondPerson() { v.oblige("second_person", "") }

// An obligation is never dropped: one more than the host takes is a denial.
func (v *Verdict) oblige(what, pointer string) {
	if v.obliges.count == 8 || !v.obliges.add(3<<10, "do", what, "?pointer", pointer) {
		v.Decide(Deny)
	}
}

// Problems is what is wrong with settings.
type Problems struct{ list list }

// Add adds a problem; the pointer leads into the settings.
func (p *Problems) Add(pointer, message string) {
	p.list.add(12<<10, "pointer", pointer, "message", cut(message))
}

// Token is a name as a token of a pointer.
func Token(name string) string {
	return "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// judge is the verdict for a question, both as JSON; nil when it is no question.
func judge(question Value) []byte {
	phase := question.Get("/phase").Text()
	if question.Get("/v") != "1" || phase != "before_show" && phase != "before_send" {
		return nil
	}
	var v Verdict
	evaluate(question, &v)
	out := append([]byte(`{"v":1,"decision":"`), [...]string{"pass", "allow", "ask", "deny"}[v.Decision]...)
	out = append(out, '"')
	if v.findings.count > 0 {
		out = append(append(append(out, `,"findings":[`...), v.findings.text...), ']')
	}
	if v.obliges.count > 0 {
		out = append(append(append(out, `,"obligations":[`...), v.obliges.text...), ']')
	}
	return append(out, '}')
}

// fit is the problems of settings, both as JSON.
func fit(settings Value) []byte {
	var p Problems
	checkSettings(settings, &p)
	return append(append([]byte(`{"v":1,"problems":[`), p.list.text...), "]}"...)
}

func cut(s string) string {
	if len(s) <= 500 {
		return s
	}
	n := 500
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func quote(out []byte, s string) []byte {
	out = append(out, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		out = append(append(out, s[from:i]...), '\\')
		from = i + 1
		if k := strings.IndexByte("\n\r\t\"\\", c); k >= 0 {
			out = append(out, `nrt"\`[k])
		} else {
			out = append(out, 'u', '0', '0', '0'+c>>4, "0123456789abcdef"[c&15])
		}
	}
	return append(append(out, s[from:]...), '"')
}
