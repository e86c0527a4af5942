package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// deploy asks for a confirmation: an empty form with a summary as its message, or the same with one choice.
func deploy(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in := struct {
		Service, Environment string
		Choices              bool
	}{Service: "shop", Environment: "production"}
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	schema := `{"type":"object","properties":{}}`
	if in.Choices {
		schema = deployChoice
	}
	a := ask(req)
	answer, err := a.question(ctx, "confirm", &mcp.ElicitParams{
		Message: fmt.Sprintf("Deploy %s to %s?\n\n"+
			"  3 services restart\n  1 database migration\n  about 2 minutes of reduced capacity",
			in.Service, in.Environment),
		RequestedSchema: json.RawMessage(schema),
	})
	if err != nil {
		return a.finish(err, "deploy/confirm")
	}
	return say(outcome(fmt.Sprintf("Deployed %s to %s.", in.Service, in.Environment), answer)), nil
}

const deployChoice = `{"type":"object","properties":{"strategy":{"type":"string","title":"Strategy",
"oneOf":[{"const":"rolling","title":"Rolling, slower"},{"const":"at_once","title":"All at once, with downtime"}],
"default":"rolling"}},"required":["strategy"]}`

// profile asks with every field kind, each enum shape and falsy defaults.
func profile(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a := ask(req)
	schema := profileForm
	if !a.rounds && req.ProtocolVersion() < dateURL {
		schema = profileForm20250618
	}
	answer, err := a.question(ctx, "profile", &mcp.ElicitParams{
		Message:         "Please tell us about yourself.",
		RequestedSchema: json.RawMessage(schema),
	})
	if err != nil {
		return a.finish(err, "profile/form")
	}
	return say(outcome("Saved the profile:", answer)), nil
}

const profileForm = `{"type":"object","properties":{
"name":{"type":"string","title":"Name","description":"How we greet you","minLength":1,"maxLength":40},
"nickname":{"type":"string","title":"Nickname","default":""},
"email":{"type":"string","title":"E-mail","format":"email"},
"website":{"type":"string","title":"Website","format":"uri"},
"born":{"type":"string","title":"Date of birth","format":"date"},
"meeting":{"type":"string","title":"First meeting","format":"date-time"},
"age":{"type":"integer","title":"Age","minimum":0,"maximum":150},
"children":{"type":"integer","title":"Children","minimum":0,"default":0},
"hours":{"type":"number","title":"Hours a week","minimum":0,"maximum":80,"default":37.5},
"newsletter":{"type":"boolean","title":"Newsletter","default":false},
"remote":{"type":"boolean","title":"Works remotely","default":true},
"plan":{"type":"string","title":"Plan","enum":["free","team","company"],"default":"free"},
"region":{"type":"string","title":"Region","enum":["eu","us"],"enumNames":["Europe","United States"]},
"role":{"type":"string","title":"Role","oneOf":[{"const":"dev","title":"Developer"},
	{"const":"ops","title":"Operator"}],"default":"dev"},
"days":{"type":"array","title":"Office days","items":{"type":"string","enum":["mon","tue","wed"]},
	"maxItems":2,"default":[]},
"topics":{"type":"array","title":"Topics",
	"items":{"anyOf":[{"const":"go","title":"Go"},{"const":"ts","title":"TypeScript"}]},"default":["go"]}
},"required":["name","age","region"]}`

// profileForm20250618 is the part of the form that the grammar of 2025-06-18 allows.
const profileForm20250618 = `{"type":"object","properties":{
"name":{"type":"string","title":"Name","description":"How we greet you","minLength":1,"maxLength":40},
"email":{"type":"string","title":"E-mail","format":"email"},
"website":{"type":"string","title":"Website","format":"uri"},
"born":{"type":"string","title":"Date of birth","format":"date"},
"meeting":{"type":"string","title":"First meeting","format":"date-time"},
"age":{"type":"integer","title":"Age","minimum":0,"maximum":150},
"hours":{"type":"number","title":"Hours a week","minimum":0,"maximum":80},
"newsletter":{"type":"boolean","title":"Newsletter","default":false},
"region":{"type":"string","title":"Region","enum":["eu","us"],"enumNames":["Europe","United States"]}
},"required":["name","age","region"]}`

// leak breaks the rule that a form never asks for a secret.
func leak(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a := ask(req)
	answer, err := a.question(ctx, "secrets", &mcp.ElicitParams{
		Message: "Sign in to continue.",
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{
"api_key":{"type":"string","title":"API key","description":"Looks like sk-…"},
"password":{"type":"string","title":"Password"}},"required":["api_key","password"]}`),
	})
	if err != nil {
		return a.finish(err, "leak/secrets")
	}
	if answer.Action == "accept" {
		return say(fmt.Sprintf("Got a key of %d and a password of %d characters.",
			len(fmt.Sprint(answer.Content["api_key"])), len(fmt.Sprint(answer.Content["password"])))), nil
	}
	return say(outcome("", answer)), nil
}

// nested breaks the rule that a form is flat. The SDK sends the schema unchanged, and checks it only when it gets an
// accepted answer.
func nested(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a := ask(req)
	answer, err := a.question(ctx, "address", &mcp.ElicitParams{
		Message: "Where do you live?",
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{"address":{"type":"object","properties":{
"street":{"type":"string"},"city":{"type":"string"}},"required":["city"]}},"required":["address"]}`),
	})
	if err != nil {
		return a.finish(err, "nested/address")
	}
	return say(outcome("Saved the address:", answer)), nil
}
