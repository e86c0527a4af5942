package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"

	"github.com/elicit-engine/elicit/ask/page"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/schema"
)

// A server asks for a key on its own page. Here a program plays the person's browser.
func Example() {
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()

	questions := page.NewMemory(nil)
	pages, err := page.New(page.Options{Source: questions, Base: server.URL + "/ask/", Name: "Deployments"})
	if err != nil {
		panic(err)
	}
	mux.Handle("/ask/", pages)

	form, _ := schema.Compile([]byte(`{"type":"object","required":["key"],"properties":{
		"key": {"type":"string","title":"API key","minLength":8}}}`), schema.Options{})
	token, answers, err := questions.Put(page.Question{
		Message: "The key of the registry, please",
		Form:    form.AppendJSON(nil),
		Secret:  true,
	}, "", func(a page.Answer) []elicit.Problem { return form.Check(a.Content) })
	if err != nil {
		panic(err)
	}
	link := pages.Link(token) // for the URL mode of the protocol
	address, _, _ := strings.Cut(link, "#")

	// The page opens, the person presses Continue, types too little, and then the key.
	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar}
	post := func(act, more string) {
		body := fmt.Sprintf(`{"token":%q%s}`, token, more)
		r, _ := http.NewRequest(http.MethodPost, address+act, bytes.NewBufferString(body))
		r.Header.Set("Origin", server.URL)
		r.Header.Set("Content-Type", "application/json")
		response, err := browser.Do(r)
		if err != nil {
			panic(err)
		}
		defer response.Body.Close()
		var reply struct {
			State    string
			Problems []struct{ Code, Pointer string }
		}
		_ = json.NewDecoder(response.Body).Decode(&reply)
		fmt.Println(act, response.StatusCode, reply.State, reply.Problems)
	}
	post("open", "")
	post("claim", "")
	post("answer", `,"action":"accept","content":{"key":"short"}`)
	post("answer", `,"action":"accept","content":{"key":"long enough"}`)
	post("open", "")
	fmt.Printf("%s\n", (<-answers).Content)
	// Output:
	// open 200 new []
	// claim 200 open []
	// answer 200 open [{too_short /key}]
	// answer 200 done []
	// open 410 answered []
	// {"key":"long enough"}
}
