// hosts refuses links to hosts that are not allowed, and asks when a message or the label of a field uses one of some
// words. Begin here: change the rule in evaluate, and in guardian.json the name and what the rule reads. To see a whole
// question, run elicit guardian question --schema FORM.
package main

import (
	"strconv"
	"strings"
)

func main() {} // never called: the host calls what exports_wasip1.go exports

func evaluate(question Value, verdict *Verdict) {
	url, settings := question.Get("/request/url"), question.Get("/settings")
	if url != "" {
		to, allowed := host(url.Text()), false
		settings.Get("/allow").Each(func(_ string, one Value) bool {
			allowed = to != "" && one.Text() == to
			return !allowed
		})
		switch {
		case !allowed && to == "":
			verdict.Decide(Deny)
			verdict.Find(High, "no_https_host", "/request/url", "the link is not https or names no host")
		case !allowed:
			verdict.Decide(Deny)
			verdict.Find(High, "host_not_allowed", "/request/url", to+" is not among the allowed hosts")
		}
	}
	message := lower(question.Get("/request/message").Text())
	settings.Get("/words").Each(func(_ string, one Value) bool {
		if word := one.Text(); word != "" && strings.Contains(message, word) {
			verdict.Decide(Ask)
			verdict.Find(Medium, "word", "/request/message", "the message says: "+word)
		}
		return true
	})
	n := -1
	question.Get("/request/form/fields").Each(func(_ string, field Value) bool {
		n++
		label := lower(field.Get("/label").Text())
		settings.Get("/words").Each(func(_ string, one Value) bool {
			if word := one.Text(); word != "" && strings.Contains(label, word) {
				verdict.Decide(Ask)
				verdict.Find(Medium, "word", "/request/form/fields/"+strconv.Itoa(n)+"/label", "the form says: "+word)
			}
			return true
		})
		return true
	})
}

func checkSettings(settings Value, problems *Problems) {
	if !settings.IsObject() {
		problems.Add("", "must be an object")
		return
	}
	settings.Each(func(name string, list Value) bool {
		texts := list.IsList()
		list.Each(func(_ string, one Value) bool {
			texts = texts && one.Text() != ""
			return true
		})
		switch {
		case name != "allow" && name != "words":
			problems.Add(Token(name), "is not a setting of this guardian")
		case !texts:
			problems.Add(Token(name), "must be a list of texts")
		}
		return true
	})
}

// host is the host of an https URL in lower case, as a browser finds it; "" when there is none.
func host(url string) string {
	authority, https := strings.CutPrefix(lower(url), "https://")
	if !https {
		return ""
	}
	if i := strings.IndexAny(authority, `/\?#`); i >= 0 {
		authority = authority[:i]
	}
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	if name := strings.TrimRight(authority, "0123456789"); strings.HasSuffix(name, ":") {
		return name[:len(name)-1]
	}
	return authority
}

// lower is ASCII in lower case; the rest as it is.
func lower(text string) string {
	out := []byte(text)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c | 32
		}
	}
	return string(out)
}
