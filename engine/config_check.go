package engine

import "github.com/elicit-engine/elicit/engine/elicit"

// CheckConfig reads a configuration as a Configured event would, and returns what is wrong with it. With problems, the
// event would change nothing. With problems in policies alone it would hold, and the layers they are in fail closed.
func CheckConfig(doc []byte) (problems, inPolicies []elicit.Problem) {
	if code := documentProblem(doc); code != "" {
		return []elicit.Problem{{Code: code}}, nil
	}
	_, inPolicies, problems = readConfig(doc, false)
	return problems, inPolicies
}
