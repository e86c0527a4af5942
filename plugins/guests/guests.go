// Package guests holds guardians that are useful as they are, in Rust, each with its README, its manifest and its
// cases. ./build.sh guests leaves their modules in dist/guests.
package guests
