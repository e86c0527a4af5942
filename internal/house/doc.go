// Package house holds no code. Its tests hold what every commit must keep: the lengths of files, the pages that repeat
// what the code says, generated files, the scripts, an installation from a release, and the weight of the repository.
//
//	go test ./internal/house -short
//
// They run in the top directory of the repository, so that names of files in messages are those that git prints. With
// -update a test writes what it compares.
package house
