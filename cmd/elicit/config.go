package main

import (
	"bytes"
	"encoding/json"

	"github.com/elicit-engine/elicit"
)

// policies are the texts of policy files, by layer.
type policies = elicit.Policies

// config is the engine's configuration for one question.
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

// config lists the guardians as a configuration does. require has refused any that the engine would refuse.
func (g *guardians) config() (list []elicit.Guardian, err error) {
	d := json.NewDecoder(bytes.NewReader(g.AppendJSON(nil)))
	d.DisallowUnknownFields() // a member that the type does not have must not be lost on the way
	err = d.Decode(&list)
	return list, err
}

// policyQuestion is what the operation decide takes: the policies, and the members that say what is asked.
func policyQuestion(policies policies, asked []byte) ([]byte, error) {
	doc, err := json.Marshal(policies)
	if err != nil {
		return nil, err
	}
	in := append([]byte(`{"policy":`), doc...)
	return append(append(append(in, ','), asked...), '}'), nil
}
