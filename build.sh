#!/usr/bin/env bash
# Builds, tests and shows Elicit. Every verb sets up what it needs; run it from anywhere.
#
#   ./build.sh demo      build the command and walk a client and real servers through it
#   ./build.sh test      run everything that can fail: unit, vectors, real clients and servers, a second of each fuzz target
#   ./build.sh check     format, vet, staticcheck, import rings, file lengths, generated tables, the C examples
#   ./build.sh bench     measure the engine beside its rivals (COUNT rounds, default 3)
#   ./build.sh vectors   run the language-neutral vectors and count them per family
#   ./build.sh fuzz      feed every fuzz target, SECONDS each (default 5), and the C library as long by libFuzzer
#   ./build.sh build     dist/elicit and the demo servers
#   ./build.sh lib       dist/libelicit.so.1 and elicit.h, the engine for C and whatever speaks to C
#   ./build.sh install   libelicit with its headers, pkg-config and CMake files, and the command: --prefix DIR
#   ./build.sh wasm      dist/elicit.wasm, the engine for browsers, Node and any Wasm host
#   ./build.sh component dist/elicit.component.wasm, the same for hosts of the component model
#   ./build.sh page      the page of --ui browser, from bindings/js/src/page into the command
#   ./build.sh js        the npm package and its tests, in Node and in Chromium
#   ./build.sh playground  dist/playground, a static folder: a server's message, the form, the decision and why
#   ./build.sh lua       the Neovim plugin's tests, in Debian's Neovim against real servers
#   ./build.sh guests    dist/guests, guardians ready to use, the same bytes wherever they are built, and their cases
#   ./build.sh kits      the author kits' examples, built with toolchains it installs, and the cases they all answer alike
#   ./build.sh wheel     the Python package with the library in it, and its source package
#   ./build.sh python    the Python package's tests, with the official SDK's client and a FastMCP server
#   ./build.sh clean     remove what the other verbs made
set -euo pipefail
cd "$(dirname "$0")"

programs="./testdata/demoserver ./testdata/rawserver ./testdata/demo"
staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
gotestsum=gotest.tools/gotestsum@v1.13.0

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
fail() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }

need_go() {
  command -v go >/dev/null || fail "Go is missing. Install Go 1.26 or newer and run me again."
}

# install_tool NAME PACKAGE: a program the tests need, from the system's packages.
install_tool() {
  command -v "$1" >/dev/null && return
  command -v apt-get >/dev/null || fail "$1 is missing. Install it and run me again."
  local as_root=; [ "$(id -u)" = 0 ] || as_root=sudo
  say "installing $2"
  $as_root apt-get update -qq && $as_root apt-get install -y -qq "$2" >/dev/null
}

# install_library NAME PACKAGE: a C library the examples need, by its pkg-config name.
install_library() {
  pkg-config --exists "$1" && return
  command -v apt-get >/dev/null || fail "$1 is missing. Install it and run me again."
  local as_root=; [ "$(id -u)" = 0 ] || as_root=sudo
  say "installing $2"
  $as_root apt-get update -qq && $as_root apt-get install -y -qq "$2" >/dev/null
}

build() {
  need_go
  say "building dist/elicit and the demo servers"
  mkdir -p dist
  command_go -o dist/ ./cmd/elicit $programs
}

# command_go builds programs that need no C library: `elicit --stdio` is the door for systems that have another one.
command_go() { CGO_ENABLED=0 go build -trimpath "$@"; }

# wasm_go FILE PACKAGE LDFLAGS builds a reactor. Inlining pays where every byte of an answer passes; elsewhere it only
# makes the module a twentieth larger.
wasm_go() {
  local inner=github.com/elicit-engine/elicit/engine
  GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -ldflags="$3" -gcflags="$inner/...=-l" \
    -gcflags="${inner%engine}plugins/...=-l" -gcflags="$inner/internal/...=" -gcflags="$inner/internal/secret=-l" -gcflags="$inner/internal/hostname=-l" -gcflags="$inner/internal/fold=-l" \
    -gcflags="$inner/schema=" -gcflags="$inner/elicit=" -o "$1" "$2"
}

# wasm DIR leaves the module there, dist unless told.
wasm() {
  need_go
  local to=${1:-dist}
  say "building $to/elicit.wasm"
  mkdir -p "$to"
  wasm_go "$to/elicit.wasm" ./wasm '-s -w'
  # The version of the contract, for who asks before running anything: a custom section, "elicit.abi", of one digit.
  printf '\x00\x0c\x0aelicit.abi1' >>"$to/elicit.wasm"
}

# component DIR leaves the same engine as a component there, dist unless told. Its allocator needs runtime.sbrk, because the
# adapter asks for memory before Go has any.
component() {
  need_go
  command -v npm >/dev/null || fail "npm is missing. Install Node 20 or newer and run me again."
  local to core
  to=$(realpath -m "${1:-dist}") core=$(mktemp)
  say "building $to/elicit.component.wasm"
  mkdir -p "$to"
  wasm_go "$core" ./wasm/component '-s -w -checklinkname=0'
  cd wasm/component
  # "ci" refuses a lock file that leaves out what jco brings for other systems only.
  js_packages install --no-save
  node make.mjs "$core" ../elicit.wit "$to/elicit.component.wasm"
  cd ../..
  rm "$core"
}

# lib DIR FLAGS... leaves the shared library there, dist unless told; the flags are for go build, "-tags slim" for a library
# that runs no guardians.
lib() {
  need_go
  command -v cc >/dev/null || fail "a C compiler is missing. Install gcc or clang and run me again."
  local to=${1:-dist}
  [ $# = 0 ] || shift
  say "building $to/libelicit.so.1"
  mkdir -p "$to"
  CGO_ENABLED=1 go build "$@" -buildmode=c-shared -trimpath -o "$to/libelicit.so.1" -ldflags="-s -w -extldflags \
    '-Wl,-soname,libelicit.so.1 -Wl,--version-script=$PWD/cabi/libelicit.map -Wl,-z,relro,-z,now'" ./cabi
  rm -f "$to/libelicit.so.h" # what cgo writes speaks Go; elicit.h is the header
  ln -sf libelicit.so.1 "$to/libelicit.so"
  cp cabi/elicit.h "$to/"
}

playground() {
  command -v npm >/dev/null || fail "npm is missing. Install Node 20 or newer and run me again."
  wasm
  cd bindings/js
  js_packages
  npm run --silent build
  npm run --silent playground -- --logLevel warn
  cd ../..
  say "dist/playground is ready for any web server, such as: python3 -m http.server -d dist/playground"
}

# lua runs the tests of the Neovim plugin and adds to the counts.
lua() {
  local p=0 f=0 status=0 counts
  install_tool nvim neovim
  install_tool tmux tmux
  ./testdata/realparts/setup.sh >&2
  lib
  build
  counts=$(ELICIT_LIBRARY=$PWD/dist/libelicit.so.1 bindings/lua/tests/run.sh | tee >(cat >&2) | tail -1) || status=$?
  read -r p _ f _ <<<"$counts" || true
  [ -n "${p:-}" ] && [ "$p" -gt 0 ] 2>/dev/null || { p=0 f=1; }
  if [ "$status" != 0 ] && [ "${f:-0}" = 0 ]; then f=1; fi
  say "Neovim: $p passed, $f failed"
  passed=$((${passed:-0} + p)) failed=$((${failed:-0} + f))
}

# kits gives the example of every author kit the same cases.
kits() {
  kit_examples
  run_tests ./plugins/pdk/...
}

# kit_examples installs the kits' toolchains and leaves each one's example in dist/guests/kits, where the tests want them from then on.
kit_examples() {
  need_go
  install_tool clang clang
  install_tool wasm-ld lld
  command -v npm >/dev/null || fail "npm is missing. Install Node 20 or newer and run me again."
  say "building the kits' examples"
  rm -rf dist/guests/kits
  mkdir -p dist/guests/kits
  kit c/template hosts-c ./build.sh
  install_zig
  kit zig/template hosts-zig ./build.sh
  install_rust
  kit rust/template hosts-rust ./build.sh
  kit assemblyscript/template hosts-assemblyscript npm run build --silent
  kit go/template hosts-go go run build.go
  export ELICIT_KITS=1
}

# install_rust chooses the Rust that builds guests: Debian's, whose modules everybody can make again, else whatever is there.
install_rust() {
  if command -v apt-get >/dev/null && ! [ -x /usr/bin/cargo -a -d /usr/lib/rustlib/wasm32-unknown-unknown ]; then
    local as_root=; [ "$(id -u)" = 0 ] || as_root=sudo
    say "installing cargo and libstd-rust-dev-wasm32"
    $as_root apt-get update -qq && $as_root apt-get install -y -qq cargo rustc libstd-rust-dev-wasm32 >/dev/null
  fi
  export CARGO=cargo RUSTC=rustc
  if [ -d /usr/lib/rustlib/wasm32-unknown-unknown ]; then CARGO=/usr/bin/cargo RUSTC=/usr/bin/rustc; fi
  [ -d "$($RUSTC --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] || fail "Rust's target wasm32-unknown-unknown is missing. Install it and run me again."
}

# guests builds the useful guardians and runs their cases. They are built again from a copy elsewhere, and must be the same bytes.
guests() {
  local copy module
  need_go
  build_guests
  copy=$(mktemp -d)
  cp -r --parents plugins/Cargo.* plugins/guests plugins/pdk/rust "$copy"
  (cd "$copy" && build_guests)
  for module in dist/guests/*.wasm; do cmp "$module" "$copy/$module" || fail "$module depends on where it is built"; done
  rm -r "$copy"
  run_tests -v ./plugins/guests/...
  grep -oE '[a-z-]+: [^"]*at most [0-9]+ fuel[^"\\]*' dist/test.json >&2
}

# build_guests leaves dist/guests/NAME.wasm. The flags are those of the kit's template.
build_guests() {
  local guest name
  install_rust
  say "building dist/guests in $PWD"
  mkdir -p dist/guests dist/rust
  rm -f dist/guests/*.wasm
  sh plugins/pdk/rust/template/abi.sh dist/rust/abi.o
  (cd plugins && RUSTFLAGS="-C target-feature=+bulk-memory -C link-arg=../dist/rust/abi.o -C link-arg=-zstack-size=32768" \
    "$CARGO" build --release --offline --quiet --target wasm32-unknown-unknown --target-dir ../dist/rust)
  build_cel
  for guest in plugins/guests/*/guardian.json; do
    name=$(basename "$(dirname "$guest")")
    [ "$name" = cel ] && continue
    cp "dist/rust/wasm32-unknown-unknown/release/${name//-/_}.wasm" "dist/guests/$name.wasm"
  done
  export ELICIT_GUESTS=1
}

# build_cel builds the guardian with rules in CEL. Its interpreter needs a newer Rust than Debian's, so rustup's is taken,
# and crates from the registry. Paths of this machine must not stand in the module.
build_cel() {
  local cargo root=$PWD home=${CARGO_HOME:-$HOME/.cargo}
  command -v rustup >/dev/null || fail "rustup is missing: the CEL guardian needs Rust 1.86 or newer. Install it and run me again."
  cargo=$(rustup which cargo)
  rustup target add wasm32-unknown-unknown >/dev/null 2>&1 || fail "rustup cannot install wasm32-unknown-unknown."
  (cd plugins/guests/cel && RUSTC=$(rustup which rustc) \
    RUSTFLAGS="-C target-feature=+bulk-memory -C link-arg=../../../dist/rust/abi.o -C link-arg=-zstack-size=262144 --remap-path-prefix=$home=cargo --remap-path-prefix=$root=elicit" \
    "$cargo" build --release --locked --quiet --target wasm32-unknown-unknown --target-dir ../../../dist/cel)
  cp dist/cel/wasm32-unknown-unknown/release/cel_guardian.wasm dist/guests/cel.wasm
}

# kit DIRECTORY NAME COMMAND... builds an example where a stranger would, in a copy of its language's kit outside this tree.
kit() {
  local copy at=plugins/pdk/$1 name=$2
  shift 2
  copy=$(mktemp -d)
  git ls-files -z --cached --others --exclude-standard "$(dirname "$at")" plugins/pdk/c/template | xargs -0 cp --parents -t "$copy"
  (cd "$copy/$at" && "$@") >&2 || fail "$at does not build"
  cp "$copy/$at/guardian.wasm" "dist/guests/kits/$name.wasm"
  rm -rf "$copy"
}

# install_zig installs Zig from Python's registry, where Debian has none, unless that is what is there.
install_zig() {
  local venv=dist/zig want=ziglang==0.17.0
  export ZIG="$PWD/$venv/bin/python -m ziglang"
  [ "$(cat "$venv/.installed-from" 2>/dev/null || true)" = "$want" ] && return
  say "installing Zig"
  rm -rf "$venv"
  python3 -m venv "$venv" || fail "Python 3 with venv is missing. Install it and run me again."
  "$venv/bin/python" -m pip install -q --disable-pip-version-check --only-binary :all: "$want"
  printf '%s\n' "$want" >"$venv/.installed-from"
}

# wheel leaves the Python package in dist/: a wheel that carries the library, under the oldest platform tag that auditwheel finds
# true, and a source package that does not.
wheel() {
  local stage=$PWD/dist/wheel/stage venv=$PWD/dist/wheel/venv out=$PWD/dist/wheel/out tag want
  lib
  want=$(cksum <bindings/python/wheel.txt)
  if [ "$(cat "$venv/.installed-from" 2>/dev/null || true)" != "$want" ]; then
    say "installing what builds wheels"
    rm -rf "$venv"
    python3 -m venv "$venv" || fail "Python 3.9 or newer with venv is missing. Install it and run me again."
    "$venv/bin/python" -m pip install -q --disable-pip-version-check -r bindings/python/wheel.txt
    printf '%s\n' "$want" >"$venv/.installed-from"
  fi
  say "building dist/elicit_engine-*.whl"
  rm -rf "$stage" "$out" dist/elicit_engine-*
  mkdir -p "$stage"
  git ls-files -z --cached --others --exclude-standard bindings/python | xargs -0 cp --parents -t "$stage"
  cp dist/libelicit.so.1 "$stage/bindings/python/src/elicit_engine/"
  "$venv/bin/python" -m build --no-isolation --sdist --wheel --outdir "$out" "$stage/bindings/python" >"$out.log" 2>&1 || { cat "$out.log" >&2; fail "the wheel was not built"; }
  tag=$("$venv/bin/auditwheel" show "$out"/*.whl | grep -oE '"manylinux_[0-9_]+[a-z0-9_]*"' | head -1 | tr -d '"')
  [ -n "$tag" ] || fail "auditwheel finds no manylinux tag for this library"
  "$venv/bin/python" -m wheel tags --remove --platform-tag "$tag" "$out"/*.whl >/dev/null
  mv "$out"/elicit_engine-* dist/
  say "$(ls dist/elicit_engine-*.whl)"
}

# python runs the tests of the Python package in the environment of the real parts, and those of the wheel in fresh ones.
python() {
  local status=0 p f s report=$PWD/dist/pytest.xml
  wheel
  ./testdata/realparts/setup.sh >&2
  rm -f "$report"
  (cd bindings/python && ELICIT_LIBRARY=../../dist/libelicit.so.1 PYTHONPATH=src ../../testdata/realparts/venv/bin/python -m pytest -q -rs \
    -p no:cacheprovider --junitxml "$report" tests >&2) || status=$?
  p=$(count_in "$report" '<testcase ') f=$(count_in "$report" '<(failure|error) ') s=$(count_in "$report" '<skipped ')
  if [ "$status" != 0 ] && [ "$f" = 0 ] || [ "$p" = 0 ]; then f=$((f + 1)); fi
  say "Python: $((p - f - s)) passed, $f failed"
  passed=$((${passed:-0} + p - f - s)) failed=$((${failed:-0} + f)) skipped=$((${skipped:-0} + s))
}

# install --prefix DIR puts the library, its headers and the command there, /usr/local unless told. DESTDIR is put before it.
# Nothing installed names the place, so the tree may be moved.
install() {
  local prefix=/usr/local to version abi
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix) [ $# -gt 1 ] || fail "--prefix needs a directory"; prefix=$2; shift 2 ;;
      --prefix=*) prefix=${1#*=}; shift ;;
      *) fail "install knows only --prefix DIR, not $1" ;;
    esac
  done
  to=$(realpath -m "${DESTDIR:-}$prefix")
  version=$(sed -n 's/^version = "\(.*\)"/\1/p' bindings/python/pyproject.toml)
  abi=$(sed -n 's/^#define ELICIT_ABI \([0-9]*\)$/\1/p' cabi/elicit.h)
  [ -n "$version" ] && [ -n "$abi" ] || fail "pyproject.toml names no version or elicit.h no ELICIT_ABI"
  mkdir -p "$to"/{bin,include,lib/pkgconfig,lib/cmake/elicit}
  lib "$to/lib"
  mv "$to/lib/elicit.h" "$to/include/"
  cp bindings/cpp/elicit.hpp "$to/include/"
  sed -e "s/@VERSION@/$version/" -e "s/@ABI@/$abi/" cabi/elicit.pc.in >"$to/lib/pkgconfig/elicit.pc"
  cp cabi/elicit-config.cmake "$to/lib/cmake/elicit/"
  sed "s/@VERSION@/$version/" cabi/elicit-config-version.cmake.in >"$to/lib/cmake/elicit/elicit-config-version.cmake"
  command_go -o "$to/bin/elicit" ./cmd/elicit
  say "installed elicit $version into $to"
}

demo() {
  build
  ./dist/demo -bin dist "$@"
}

# run_tests runs `go test` on its arguments, a line a package and every failure in full at the end. The record of the
# run is counted, not trusted: a run in which nothing ran is a failure.
run_tests() {
  local status=0
  mkdir -p dist
  go run $gotestsum --format pkgname-and-test-fails --format-hide-empty-pkg --jsonfile dist/test.json -- -count=1 "$@" >&2 || status=$?
  passed=$(count_tests pass)
  failed=$(count_tests fail)
  skipped=$(count_tests skip)
  if [ "$status" != 0 ] && [ "$failed" = 0 ]; then failed=1; fi
  if [ "$passed" = 0 ]; then failed=1; fi
}

# page bundles the page that the command embeds. What it makes is committed, so that `go build` needs no npm.
page() {
  cd bindings/js
  js_packages
  npm run page --silent
}

# js builds the npm package and runs its tests, in Node and in Chromium, and adds to the counts.
js() {
  local status=0 p=0 f=0 s=0
  command -v npm >/dev/null || fail "npm is missing. Install Node 20 or newer and run me again."
  wasm
  install_tool chromium chromium
  rm -f dist/vitest.json
  cd bindings/js
  js_packages
  npm test --silent -- --reporter=default --reporter=json --outputFile.json=../../dist/vitest.json >&2 || status=$?
  cd ../..
  [ ! -s dist/vitest.json ] || read -r p f s < <(node -p 'const r = JSON.parse(fs.readFileSync("dist/vitest.json")); `${r.numPassedTests} ${r.numFailedTests} ${r.numPendingTests}`')
  if [ "$status" != 0 ] && [ "$f" = 0 ] || [ "$p" = 0 ]; then f=$((f + 1)); fi
  say "JavaScript: $p passed, $f failed"
  passed=$((${passed:-0} + p)) failed=$((${failed:-0} + f)) skipped=$((${skipped:-0} + s))
}

# js_packages installs what package-lock.json says, unless that is what is there; with "npm ci" unless told.
js_packages() {
  local want stamp=node_modules/.installed-from
  want=$(cksum <package-lock.json)
  [ "$(cat "$stamp" 2>/dev/null || true)" = "$want" ] && return
  say "installing node packages"
  npm "${@:-ci}" --ignore-scripts --no-fund --no-audit --no-update-notifier --loglevel=error >&2
  printf '%s\n' "$want" >"$stamp"
}

# count_in FILE PATTERN tells how often the pattern stands there, a file that is missing none.
count_in() { { grep -oE "$2" "$1" 2>/dev/null || true; } | wc -l; }

count_tests() { grep -c "\"Action\":\"$1\".*\"Test\":" dist/test.json || true; }

test_all() {
  need_go
  install_tool tmux tmux
  for tool in valgrind cmake pkg-config clang; do install_tool $tool $tool; done
  install_tool wat2wasm wabt
  install_library libuv libuv1-dev
  install_library libcjson libcjson-dev
  ./testdata/realparts/setup.sh >&2
  component
  kit_examples
  build_guests
  build_smith
  say "testing"
  run_tests ./...
  count_vectors
  js
  python
  lua
  say "fuzzing a second each"
  rm -rf dist/fuzz/short
  fuzz_all 1 short || true
  passed=$((passed + total - bad)) failed=$((failed + bad))
  printf '%s passed, %s failed%s\n' "$passed" "$failed" "$([ "$skipped" = 0 ] || printf ', %s skipped' "$skipped")"
  [ "$failed" = 0 ]
}

# build_smith builds what makes modules by the thousand for the meter's test, where Rust is new enough for it. Without it that test is skipped.
build_smith() {
  local cargo
  for cargo in cargo "$HOME/.cargo/bin/cargo"; do
    if printf '%s\n%s\n' "cargo 1.85" "$("$cargo" --version 2>/dev/null)" | sort -VC; then
      say "building testdata/smith"
      (cd testdata/smith && "$cargo" build --release --locked --quiet >&2) && return
    fi
  done
  say "testdata/smith is not built; it wants Rust 1.85 or newer and the crates of its Cargo.lock"
}

count_vectors() {
  grep -hoE 'vectors [a-z]+: [0-9]+' dist/test.json | sort | awk '{n+=$3; print} END {print "vectors in all: " n+0}' >&2
}

vectors() {
  need_go
  run_tests -run 'TestVectors|TestVectorIndex' ./engine/abi
  count_vectors
  printf '%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" = 0 ]
}

# fuzz_all SECONDS CACHE feeds every fuzz target of the module that long and says how many inputs each took; total and bad
# count them. A target that took none is a failure as a finding is; kept inputs that are run again first count too.
# Findings are written to the package's testdata/fuzz.
fuzz_all() {
  local root=$PWD dir target out status executions
  total=0 bad=0
  mkdir -p dist/fuzz
  for dir in $(git ls-files --cached --others --exclude-standard '*_test.go' | xargs grep -lE '^func Fuzz' | xargs -n1 dirname | sort -u); do
    go test -c -fuzz . -o dist/fuzz/target "./$dir" >&2 || { total=$((total + 1)) bad=$((bad + 1)); continue; }
    for target in $(grep -hoE '^func Fuzz\w+' "$dir"/*_test.go | cut -d' ' -f2); do
      status=0
      out=$(cd "$dir" && nice "$root/dist/fuzz/target" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$1s" \
        -test.fuzzminimizetime 10x -test.fuzzcachedir "$root/dist/fuzz/$2" 2>&1) || status=$?
      # Go's fuzzer may report its own end as a failure; a finding always names the input it kept.
      if grep -q 'context deadline exceeded' <<<"$out" && ! grep -q 'Failing input written' <<<"$out"; then status=0; fi
      executions=$(grep -oE '(execs|coverage): [0-9]+' <<<"$out" | cut -d' ' -f2 | sort -n | tail -1 || true)
      printf '%-28s %-22s %10s executions\n' "$dir" "$target" "${executions:=0}" >&2
      total=$((total + 1))
      if [ "$status" != 0 ] || [ "$executions" = 0 ]; then bad=$((bad + 1)); printf '%s\n' "$out" >&2; fi
    done
  done
  printf '%s fuzz targets, %s failed\n' "$total" "$bad" >&2
  [ "$total" -gt 0 ] || bad=1
  [ "$bad" = 0 ]
}

fuzz() {
  need_go
  say "fuzzing"
  fuzz_all "${1:-5}" cache
  install_tool clang clang
  go test -count=1 -v -timeout 0 -run '^TestFeed$' ./cabi -feed "${1:-5}"
}

check() {
  need_go
  local unformatted
  unformatted=$(gofmt -l $(git ls-files --cached --others --exclude-standard '*.go'))
  [ -z "$unformatted" ] || fail "run gofmt -w on: $unformatted"
  say "format: $(git ls-files '*.go' | wc -l) files"
  go vet ./... $programs
  (cd bench && go vet ./...)
  say "vet: $(go list ./... $programs | wc -l) packages"
  go run $staticcheck ./... $programs || fail "staticcheck has complaints"
  say "staticcheck: clean"
  go mod tidy -diff || fail "run go mod tidy"
  say "go.mod: tidy"
  run_tests -run 'TestRings|TestFileLengths|TestVectorIndex|Fresh|TestDocs|TestEnglish|TestImports|TestSize$' ./engine/... ./cmd/... ./wasm
  [ "$failed" = 0 ] || fail "the house rules above do not hold"
  say "house rules and generated tables: $passed checks"
  examples
}

# examples builds those of cabi/example as a strict C99 compiler wants them, into dist/example, and compiles the headers as C++17.
examples() {
  local strict="-Wall -Wextra -Werror -pedantic" source files libraries programs=0
  install_tool pkg-config pkg-config
  install_library libuv libuv1-dev
  install_library libcjson libcjson-dev
  lib
  mkdir -p dist/example
  for source in $(grep -l '^ \*   cc .*--libs elicit' cabi/example/*.c); do
    # The comment at the top says which files make the program, and which libraries it needs.
    files=$(sed -n 's/^ \*   cc \(.*\.c\) \$(.*/\1/p' "$source")
    libraries=$(sed -n 's/^ \*   cc .*--libs elicit\([a-z ]*\)).*/\1/p' "$source")
    cc -std=c99 -D_GNU_SOURCE $strict -O2 -Idist ${libraries:+$(pkg-config --cflags $libraries)} $(printf ' cabi/example/%s' $files) \
      -o "dist/example/$(basename "$source" .c)" -Ldist -lelicit ${libraries:+$(pkg-config --libs $libraries)} -Wl,-rpath,'$ORIGIN/..' ||
      fail "$source does not compile"
    programs=$((programs + 1))
  done
  for source in cabi/elicit.h bindings/cpp/elicit.hpp; do
    c++ -std=c++17 $strict -Icabi -fsyntax-only -x c++ -include "$source" /dev/null || fail "$source is not C++17"
  done
  say "examples: $programs programs as C99, 2 headers as C++17"
}

bench() {
  need_go
  command -v npm >/dev/null || fail "npm is missing. Install Node 20 or newer and run me again."
  install_tool nvim neovim
  wasm
  component
  (cd bindings/js && js_packages && npm run build --silent) >&2
  lib
  command_go -o dist/ ./cmd/elicit
  bench_python
  cd bench
  js_packages
  go run . -rounds "${COUNT:-3}" "$@"
}

# bench_python installs the validators that the Python package is measured beside.
bench_python() {
  local venv=dist/benchenv want
  want=$(cksum <bench/requirements.txt)
  [ "$(cat "$venv/.installed-from" 2>/dev/null || true)" = "$want" ] && return
  say "installing Python packages"
  rm -rf "$venv"
  python3 -m venv "$venv" || fail "Python 3.10 or newer with venv is missing. Install it and run me again."
  "$venv/bin/python" -m pip install -q --disable-pip-version-check --only-binary :all: -r bench/requirements.txt
  printf '%s\n' "$want" >"$venv/.installed-from"
}

clean() { rm -rf dist testdata/smith/target bindings/js/{dist,node_modules} wasm/component/node_modules bench/node_modules testdata/realparts/{node_modules,venv,venv1,mcpgo/bin,rmcp/target,java/lib,java/classes}; }

case "${1:-}" in
  demo | bench | fuzz | lib | install | wasm | component) verb=$1; shift; "$verb" "$@" ;;
  test) test_all ;;
  js | python | lua | kits | guests) "$1"; printf '%s passed, %s failed\n' "$passed" "$failed"; [ "$failed" = 0 ] ;;
  check | vectors | build | wheel | page | playground | clean) "$1" ;;
  *) sed -n 's|^#   \(./build.sh\)|  \1|p' "$0"; exit 2 ;;
esac
