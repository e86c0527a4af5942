#!/usr/bin/env bash
# Builds, tests and shows Elicit. Every verb says what it needs and asks before it installs packages of the system;
# --yes or CI=1 allows that. Run it from anywhere. The parts are in scripts/.
#
#   ./build.sh demo      build the command and walk a client and real servers through it
#   ./build.sh quick     the inner loop, under a minute: format, house rules, vectors, and the tests of changed PACKAGES
#   ./build.sh test      everything that can fail: unit, vectors, real clients and servers
#   ./build.sh packages  what the tests need from the system, npm, pip and Maven
#   ./build.sh check     format, vet, staticcheck, house rules, generated tables, workflows, the C examples
#   ./build.sh bench     measure the engine beside its rivals (COUNT rounds, default 3)
#   ./build.sh vectors   run the language-neutral vectors and count them per family
#   ./build.sh fuzz      feed every fuzz target, SECONDS each (default 5), and the C library as long by libFuzzer
#   ./build.sh parsers   feed each parser of the engine by libFuzzer in one process, SECONDS each (default 5)
#   ./build.sh swarm     play STEPS (default 200k) of random lives in each machine, from SEED on (default 1)
#   ./build.sh nightly   all tests, fuzzing and swarms, or only some PARTs, with a record in testdata/nightly.json
#   ./build.sh redteam   write forms and commands otherwise, and name the change that hides most from each rule
#   ./build.sh mutants   change one place of PACKAGES at a time (-n COUNT -seed N) and name what no test notices
#   ./build.sh swarm_mutants
#                        the same with the vectors and the swarm, COUNT mutants of each machine from SEED on
#   ./build.sh commands  measure the reader of commands on sets that others wrote, kept in DIR (default dist/commands)
#   ./build.sh build     dist/elicit and the demo servers
#   ./build.sh lib       dist/libelicit.so.1 and elicit.h, the engine for C and languages that call C
#   ./build.sh lib_for   ARCH DIR: the same for Linux with glibc 2.17 or newer, amd64 or arm64, by Zig's compiler
#   ./build.sh amalgamation
#                        dist/c, the engine as C11 without a Go runtime; DIR FLAGS... compiles it too, in minutes.
#                        With "core" first, the same of the module core, in dist/core
#   ./build.sh install   libelicit with its headers, pkg-config and CMake files, and the command: --prefix DIR
#   ./build.sh wasm      dist/elicit.wasm, the engine for browsers, Node and any Wasm host
#   ./build.sh wasm_browser
#                        dist/elicit-browser.wasm, the same without lint and simulation, smaller for pages
#   ./build.sh wasm_core dist/elicit-core.wasm, which reads forms, checks answers and judges texts and URLs
#   ./build.sh component dist/elicit.component.wasm, the same for hosts of the component model
#   ./build.sh page      the page of --ui browser, from bindings/js/src/page into the command
#   ./build.sh js        the npm package and its tests, in Node and in Chromium
#   ./build.sh playground  dist/playground, a static folder: a server's message, the form, the decision and why
#   ./build.sh lua       the Neovim plugin's tests, in Debian's Neovim against real servers
#   ./build.sh emacs     the checks and tests of the package for Emacs, installed in an empty home
#   ./build.sh guests    dist/guests, guardians ready to use, the same bytes wherever they are built, and their cases
#   ./build.sh kits      the author kits' examples, built with toolchains it installs, and their cases
#   ./build.sh wheel     the Python package with the library in it, and its source package
#   ./build.sh jar       dist/elicit-engine-*.jar, the Java package with Elicit in C for this machine, in minutes
#   ./build.sh in_c      dist/in-c, Elicit in C, for tests
#   ./build.sh crate     dist/elicit-engine-*.crate, the Rust package, with the engine as C in it
#   ./build.sh python    the Python package's tests, with the official SDK's client and a FastMCP server
#   ./build.sh release   dist/release: archives, packages, checksums and a bill of materials, made twice and compared
#   ./build.sh site      dist/site, the pages and the playground as a site, checked by axe and for dead links
#   ./build.sh recording docs/images/terminal.svg, the terminal session of the README, recorded again
#   ./build.sh clean     remove what the other verbs made
set -euo pipefail
cd "$(dirname "$0")"

programs="./testdata/demoserver ./testdata/rawserver ./testdata/demo"
# packages are those of the engine, the command and their tests. "./..." alone ends where the next module begins.
packages="./... ./cmd/elicit/... ./store/postgres/... ./store/redis/... ./store/sqlite/... ./internal/tests/..."
# modules are tested on their own, beside the packages.
modules="ask/gosdk ask/otel examples"
staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
gotestsum=gotest.tools/gotestsum@v1.13.0
actionlint=github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

for part in setup tinygo build portable java guardians suites test random nightly check bench deb release recording \
  site; do
  # shellcheck source=/dev/null
  . "scripts/$part.sh"
done

clean() {
  rm -rf dist testdata/smith/target bindings/js/{dist,node_modules} bench/node_modules
  rm -rf testdata/realparts/{node_modules,venv,venv1,mcpgo/bin,rmcp/target,conductor,java/lib,java/classes}
}

words=()
for word; do
  if [ "$word" = --yes ]; then export ELICIT_YES=1; else words+=("$word"); fi
done
set -- ${words[@]+"${words[@]}"}

case "${1:-}" in
  demo | bench | fuzz | parsers | swarm | swarm_mutants | nightly | redteam | mutants | lib | lib_for | amalgamation | \
    install | wasm | wasm_browser | wasm_core | component | wheel | jar | crate | in_c | quick | release | assemble | \
    recording | site)
    verb=$1; shift; "$verb" "$@" ;;
  test) test_all ;;
  js | python | lua | emacs | kits | guests)
    "$1"; printf '%s passed, %s failed\n' "$passed" "$failed"; [ "$failed" = 0 ] ;;
  check | packages | vectors | build | page | playground | clean) "$1" ;;
  *) sed -n 's|^#   \(./build.sh\)|  \1|p' "$0"; exit 2 ;;
esac
