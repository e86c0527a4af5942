// Package pdk holds the author kits: for each language a template that is a whole guardian, and the cases that all of
// them answer with the same bytes. README.md says how to begin.
package pdk
