package page_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/page"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// A server asks for a key on its own page. Here a program plays the client and the person's browser.
func Example() {
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	asker, err := ask.New(ask.Options{Server: "Deployments", Page: server.URL + "/ask/#/"})
	if err != nil {
		panic(err)
	}
	mux.Handle("/ask/", page.New(page.Options{Asker: asker}))

	c, keys := newClient(), make(chan string)
	go func() {
		who := ask.Client{Session: "1", Version: "2025-11-25", Declared: elicit.Modes{URL: true}, Conn: c}
		asker.Do(context.Background(), ask.Call{Client: who, Target: "deploy"}, func(ctx context.Context) error {
			got, err := ask.Secret[struct {
				Key string `json:"key" min:"8"`
			}](ctx, "The key of the registry, please")
			keys <- got.Key
			return err
		})
	}()
	address, token, _ := strings.Cut(<-c.links, "#/")

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
	fmt.Println("the tool has:", <-keys)
	post("open", "")
	// Output:
	// open 200 new []
	// claim 200 open []
	// answer 200 open [{too_short /key}]
	// answer 200 done []
	// the tool has: long enough
	// open 410 answered []
}
