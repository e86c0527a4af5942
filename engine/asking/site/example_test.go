package site_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/site"
)

// A browser opens a link that no browser has claimed: it gets a cookie. With the cookie, the person's click claims it.
func Example() {
	s, _ := site.New("https://bot.example/ask/#/", "bot", "")
	request := func(act, cookie string) site.Request {
		return site.Request{Method: "POST", Host: "bot.example", Path: "/ask/" + act, Body: []byte(`{"token":"t"}`),
			Headers: [][2]string{{"Origin", "https://bot.example"}, {"Content-Type", "application/json"}, {"Cookie", cookie}}}
	}
	_, response := s.Begin(request("open", ""), "a-new-secret", 0)
	last := response.Headers[len(response.Headers)-1]
	fmt.Println(response.Status, response.Body)
	fmt.Println(last[0], last[1])
	visit, _ := s.Begin(request("claim", last[1]), "", 0)
	event, _ := visit.Look(site.Page{Page: asking.Page{Link: "t"}})
	fmt.Printf("%s %.8s\n", event.(asking.Claimed).Link, event.(asking.Claimed).Browser)
	// Output:
	// 200 {"state":"new"}
	// Set-Cookie __Host-elicit-e3b98a4da31a127d=a-new-secret; Path=/; HttpOnly; Secure; SameSite=Strict
	// t 2b833aae
}
