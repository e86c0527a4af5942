package risk_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/risk"
)

// The URL shows one host and leads to another, and the message puts the reader in a hurry.
func ExampleInspect() {
	for _, f := range risk.Inspect(&risk.Subject{Server: "bank", Mode: elicit.URL, Message: "Confirm your account",
		URL: "https://example.com@evil.example/login"}) {
		fmt.Println(f.Severity, f.Code, f.Pointer)
		fmt.Println(" ", english.Finding(f))
	}
	// Output:
	// critical url_userinfo /url
	//   "example.com": what stands before the @ is decoration; the page that opens is evil.example
}

// InspectAnswer finds a secret in what a person typed.
func ExampleInspectAnswer() {
	for _, f := range risk.InspectAnswer(nil, []byte(`{"note":"-----BEGIN RSA PRIVATE KEY-----"}`)) {
		fmt.Println(f.Severity, f.Code, f.Pointer)
	}
	// Output:
	// high secret_in_answer /content/note
}
