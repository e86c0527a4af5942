# shellcheck shell=bash
# Changes one place of a package at a time, and tells which changes no test notices.

# mutants [-n COUNT] [-seed N] PACKAGES runs COUNT mutants of each package, 10 without -n. Each is tried on the
# package's own tests and then on the vectors.
mutants() {
  need_go
  mkdir -p dist
  go build -o dist/mutants ./internal/mutants
  dist/mutants "$@"
}
