//go:build browser

package english

// The module for pages makes no tokens and asks nobody, and does not have these sentences.
var sealProblems, sealRemedies, askingProblems, askingRemedies map[string]string
