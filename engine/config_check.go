package engine

import "github.com/elicit-engine/elicit/engine/elicit"

// CheckConfig reads a configuration as a Configured event would, and returns what is wrong with it. With problems, the
// event would change nothing. With problems in policies alone it would hold, and the layers they are in fail closed.
// Members with names of an earlier version count as they were meant; deprecated lists them.
func CheckConfig(doc []byte) (problems, inPolicies, deprecated []elicit.Problem) {
	if code := unfitDocument(doc); code != "" {
		return []elicit.Problem{{Code: code}}, nil, nil
	}
	c, inPolicies, problems := readConfig(doc)
	return problems, inPolicies, c.deprecated
}
