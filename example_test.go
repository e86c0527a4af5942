package elicit_test

import (
	"context"
	"fmt"

	"github.com/elicit-engine/elicit"
)

// A server asks where to deploy. The host would draw the form; here the answer is fixed.
func Example() {
	sent := make(chan string, 8)
	conn, err := elicit.Open(elicit.Connection{Server: "backup"}, elicit.Host{
		ToClient: func(message []byte) {},
		ToServer: func(message []byte) { sent <- string(message) },
		Ask: func(_ context.Context, q elicit.Question) elicit.Answer {
			fmt.Println(q.Server, "asks:", q.Message, q.Form.Fields[0].Label)
			return elicit.Answer{Action: elicit.Accept, Content: map[string]string{"region": "eu"}}
		},
	}, elicit.Options{})
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	_ = conn.FromClient([]byte(initialize))
	<-sent // the client's message was forwarded to the server
	_ = conn.FromServer([]byte(initialized))
	_ = conn.FromServer([]byte(where))
	fmt.Println(<-sent)
	// Output:
	// backup asks: Where to? Region
	// {"jsonrpc":"2.0","id":"q1","result":{"action":"accept","content":{"region":"eu"}}}
}

// A policy answers what it can. The error of Check says what is wrong with a policy that cannot be read.
func ExampleConfig() {
	c := elicit.Config{
		Limits: elicit.Limits{Shown: new(3)},
		Policy: elicit.Policies{User: []byte(`{"version":1,"rules":[{"when":{"sensitive":true},"then":"declin"}]}`)},
	}
	fmt.Println(c.Check())
	// Output:
	// elicit: the configuration has problems
	//   /policy/user/rules/0/then: unknown value declin; allowed are ask, review, accept, decline, cancel
}

func ExampleReadConfig() {
	_, err := elicit.ReadConfig([]byte(`{"offer_scopes":true,"limits":{"shown":-1}}`))
	fmt.Println(err)
	// Output:
	// elicit: the configuration cannot be used
	//   /limits/shown: must be a whole number from 0 to 1024
}
