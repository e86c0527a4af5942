# shellcheck shell=bash
# What must hold in every commit, besides the tests.

# rules are the tests that hold the house rules, the generated tables and the tables in the documentation.
rules='TestRings|TestFileLengths|TestLineWidths|TestMarkdownWidths|TestEveryPackageHasAnExample|TestVectorTopics|Fresh'
rules="$rules|TestDocs|TestEnglish|TestParts|TestWeight|TestImports|TestSize\$"

# rule_packages prints the packages that have such tests, because Go would link a program for each of the others too.
rule_packages() {
  grep -rlE "^func \w*(${rules/\$/\\(})" --include='*_test.go' internal/house engine cmd/elicit wasm |
    xargs -n1 dirname | sort -u | sed 's|^|./|'
}

# formatted fails when a Go file is not formatted.
formatted() {
  local unformatted
  unformatted=$(git ls-files -z --cached --others --exclude-standard --deduplicate '*.go' | xargs -0 gofmt -l)
  [ -z "$unformatted" ] || fail "run gofmt -w on: $unformatted"
  say "format: $(git ls-files '*.go' | wc -l) files"
}

# quick PACKAGE... is the inner loop. It runs the house rules, the vectors, and the tests of the packages. Without
# packages, it takes those that differ from the last commit. -short leaves out tests of more than some seconds, such as
# the installation of a release. Without packages it takes less than a minute of processor, also when nothing is
# compiled yet. A failure does not stop the later tests, so one run names all that is missing.
quick() {
  local before=$SECONDS good=true
  need_go
  formatted
  # shellcheck disable=SC2046 # no package has a blank in its name
  [ $# -gt 0 ] || set -- $(changed_packages)
  [ $# = 0 ] || go vet "$@" || good=false
  # The house rules read more than Go knows of, so their last result does not count.
  go test -vet=off -count=1 -short ./internal/house || good=false
  go test -vet=off -short ./engine/abi "$@" || good=false
  $good || fail "the tests above do not pass"
  say "quick: $((SECONDS - before)) seconds; packages: ${*:-none}"
}

# changed_packages prints the packages with a Go file that differs from the last commit. Modules outside of go.work are
# left out, because no pattern of packages reaches them.
changed_packages() {
  { git diff --name-only --diff-filter=d HEAD -- '*.go'; git ls-files --others --exclude-standard -- '*.go'; } |
    grep -Ev 'testdata/|^bench/|^engine/internal/pretty/' | xargs -r dirname | sort -u | sed 's|^|./|' || true
}

# check builds the modules while it vets, because each is mostly the work of one processor, and so is their compiler.
# With more room for garbage, staticcheck takes three quarters of the time, and half a gigabyte.
check() {
  export GOGC=${GOGC:-400}
  need_go
  compile_once
  formatted
  builds vetted modules
  # shellcheck disable=SC2046 # no package has a blank in its name
  ELICIT_BROTLI=11 run_tests -run "$rules" $(rule_packages)
  [ "$failed" = 0 ] || fail "the house rules above do not hold"
  say "house rules and generated tables: $passed checks"
  examples
}

# modules_build leaves the modules that the rules about sizes and imports read.
modules_build() {
  need_tinygo # not by two at once
  builds whole browser
}

whole_build() { wasm; }
browser_build() { wasm_browser; }

# staticcheck takes as long for SQLite in Go as for all the rest. Packages that import SQLite have their turn at night.
vetted_build() {
  local module sqlite='/store/sqlite$|/internal/tests/(faults|kept|shared)$'
  go vet $packages $programs
  CGO_ENABLED=1 go vet -tags libfuzzer ./cabi ./engine/internal/feed
  for module in $modules; do (cd "$module" && go vet ./...) || fail "$module: see above"; done
  go build -o dist/systems ./internal/tests/systems
  # The rivals that it imports would take longer to compile than all of the engine.
  (cd bench && GOWORK=off ../dist/systems "$(go env GOOS)/$(go env GOARCH)" ./...) || fail "bench: see above"
  vet_for darwin/amd64 $packages
  vet_for windows/amd64 $packages
  vet_for wasip1/wasm ./wasm ./wasm/component
  vet_for wasip1/wasm -tags=browser ./wasm
  vet_for wasip1/wasm -tags=browser,core ./wasm
  say "vet: $(go list $packages $programs | wc -l) packages, for macOS, Windows and Wasm too"
  GOBIN=$PWD/dist go install $staticcheck
  [ -z "${ELICIT_NIGHTLY:-}" ] || sqlite='^$'
  dist/staticcheck $(go list $packages $programs | grep -vE "/cabi$|$sqlite")
  CGO_ENABLED=1 dist/staticcheck ./cabi
  for module in $(go list -m -f '{{.Dir}}') bench; do tidy "$module"; done
  say "staticcheck is clean, and go.mod is tidy in every module"
  go run $actionlint -shellcheck= -pyflakes= .github/workflows/*.yml || fail "actionlint has complaints"
  say "workflows: $(ls .github/workflows/*.yml | wc -l) files"
}

# vet_for SYSTEM PACKAGES... vets them for a system that their libraries are not compiled for.
vet_for() { dist/systems "$@" || fail "$*: see above"; }

# tidy MODULE fails when `go mod tidy` would change the go.mod or the go.sum of a module. It takes the other modules of
# this repository from where go.work has them, because nobody has published the versions that it requires.
tidy() {
  local path version dir mod=$PWD/dist/tidy.mod
  mkdir -p dist
  cp "$1/go.mod" "$mod"
  cp "$1/go.sum" "${mod%.mod}.sum"
  while read -r path version _ dir; do
    [ "$(realpath "$1")" = "$(realpath "$dir")" ] || go mod edit -replace="$path@$version=$(realpath "$dir")" "$mod"
  done < <(sed -n 's/^\t\(.* => .*\)/\1/p' go.work)
  (cd "$1" && GOWORK=off go mod tidy -diff -modfile="$mod") || fail "$1: go.mod or go.sum is not tidy; see above"
}

# examples builds those of cabi/example as a strict C99 compiler wants them, into dist/example, and compiles the
# headers as C++17.
examples() {
  local strict="-Wall -Wextra -Werror -pedantic" source files libraries programs=0
  need pkg-config=pkg-config lib:libuv=libuv1-dev lib:libcjson=libcjson-dev
  lib
  mkdir -p dist/example
  for source in $(grep -l '^ \*   cc .*--libs elicit' cabi/example/*.c); do
    # The comment at the top says which files make the program, and which libraries it needs.
    files=$(sed -n 's/^ \*   cc \(.*\.c\) \$(.*/\1/p' "$source")
    libraries=$(sed -n 's/^ \*   cc .*--libs elicit\([a-z ]*\)).*/\1/p' "$source")
    cc -std=c99 -D_GNU_SOURCE $strict -O2 -Idist ${libraries:+$(pkg-config --cflags $libraries)} \
      $(printf ' cabi/example/%s' $files) -o "dist/example/$(basename "$source" .c)" \
      -Ldist -lelicit ${libraries:+$(pkg-config --libs $libraries)} -Wl,-rpath,'$ORIGIN/..' ||
      fail "$source does not compile"
    programs=$((programs + 1))
  done
  for source in cabi/elicit.h bindings/cpp/elicit.hpp bindings/cpp/elicit_contract.hpp; do
    c++ -std=c++17 $strict -Icabi -fsyntax-only -x c++ -include "$source" /dev/null || fail "$source is not C++17"
  done
  say "examples: $programs programs as C99, 3 headers as C++17"
}
