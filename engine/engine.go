// Package engine decides what happens to a question that a program wants to ask a person.
package engine
