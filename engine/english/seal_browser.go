//go:build browser

package english

var sealProblems, sealRemedies map[string]string
