package main

import (
	"bytes"
	"encoding/json"

	"github.com/elicit-engine/elicit"
)

// policies are the texts of policy files, by layer.
type policies = elicit.Policies

// config returns the engine's configuration for one question.
func (a *ask) config() ([]byte, error) {
	guardians, err := a.guardians.config()
	if err != nil {
		return nil, err
	}
	c := elicit.Config{Policy: a.layers.policies(), Guardians: guardians}
	if ms := int(a.timeout.Milliseconds()); ms > 0 {
		c.Limits.AnswerTTLMS = &ms
	}
	return json.Marshal(c)
}

// config lists the guardians in the form of an engine's configuration. The caller has called require, which refuses
// every permit that the engine would refuse.
func (g *guardians) config() (list []elicit.Guardian, err error) {
	d := json.NewDecoder(bytes.NewReader(g.AppendJSON(nil)))
	d.DisallowUnknownFields() // a member that elicit.Guardian lacks would be lost silently
	err = d.Decode(&list)
	return list, err
}

// policyQuestion makes the input of the engine's operation "decide": the policies, and the members in asked, which are
// "facts" and perhaps "findings" without the braces around them.
func policyQuestion(policies policies, asked []byte) ([]byte, error) {
	doc, err := json.Marshal(policies)
	if err != nil {
		return nil, err
	}
	in := append([]byte(`{"policy":`), doc...)
	return append(append(append(in, ','), asked...), '}'), nil
}
