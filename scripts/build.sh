# shellcheck shell=bash
# Builds everything that is shipped: the command, the C library, Wasm, the npm and Python packages.

build() {
  need_go
  say "building dist/elicit and the demo servers"
  mkdir -p dist
  command_go -o dist/ ./cmd/elicit $programs
}

# command_go builds programs that need no C library: `elicit --stdio` is the interface for other C libraries.
command_go() { CGO_ENABLED=0 go build -trimpath "$@"; }

# lean_modfile writes dist/lean.mod: go.mod with an empty module in place of tidwall/pretty. That one would bring
# encoding/json, 1.4 MB of Wasm, into a module or a library. `go install MODULE@VERSION` refuses a replacement, so
# go.mod has none. Go takes another go.mod only outside of the workspace.
lean_modfile() {
  local new=dist/lean.$BASHPID # several builds may run at once, also in one script, and each finds whole files
  mkdir -p dist
  cp go.sum "$new.sum"
  mv "$new.sum" dist/lean.sum
  cp go.mod "$new.mod"
  printf '\nreplace github.com/tidwall/pretty => ./engine/internal/pretty\n' >>"$new.mod"
  mv "$new.mod" dist/lean.mod
}

# wasm DIR leaves the module there, dist unless told.
wasm() { wasm_module "${1:-dist}/elicit.wasm" whole; }

# wasm_browser DIR leaves the module there that pages download, without what no page needs.
wasm_browser() { wasm_module "${1:-dist}/elicit-browser.wasm" browser; }

# wasm_core DIR leaves the module there that only reads forms, checks answers and judges texts and URLs.
wasm_core() { wasm_module "${1:-dist}/elicit-core.wasm" browser,core; }

# wasm_module FILE TAGS [PACKAGE] builds a module, for hosts without the component model unless told. The compiler
# takes minutes, so dist/modules keeps what it made of the same sources. It runs initialisers, and gives up after three
# minutes by the clock unless told, which a busy machine passes. It makes no debug information, which the linker would
# drop: that saves a quarter of the time.
wasm_module() {
  local file=$1 tags=$2 package=${3:-./wasm} target=wasm/target.json kept
  need_go
  lean_modfile
  kept=dist/modules/$({
    printf '%s\n' "$tags" "$tinygo_sum" "$(go env GOVERSION)"
    declare -f wasm_module mend_tinygo mend_collector mend_heap mend_texts
    find engine wasm/*.go wasm/{component,wasi}/*.go wasm/target.json plugins/guest plugins/meter go.mod go.sum \
      -type f ! -name '*_test.go' ! -path '*/testdata/*' -print0 | sort -z | xargs -0 sha256sum
  } | sha256sum | cut -c1-32).wasm
  mkdir -p "$(dirname "$file")" dist/modules
  if [ ! -e "$kept" ]; then
    say "building $file, in minutes"
    if [ "$tags" != whole ]; then # only a trace needs the names of functions
      target=dist/modules/target.$BASHPID.json
      sed 's/"--no-demangle"/"--strip-all"/' wasm/target.json >"$target"
    fi
    GOFLAGS=-modfile=$PWD/dist/lean.mod tinygo build -target="$target" -buildmode=c-shared -opt=2 -no-debug \
      -internal-nodwarf -interp-timeout=1h -tags="$tags" -o "$kept.$BASHPID.wasm" "$package" || fail "$file: see above"
    # The version of the contract, for who asks before running anything: a custom section, "elicit.abi", of one digit.
    [ "$package" != ./wasm ] || printf '\x00\x0c\x0aelicit.abi1' >>"$kept.$BASHPID.wasm"
    mv "$kept.$BASHPID.wasm" "$kept"
    rm -f "dist/modules/target.$BASHPID.json"
  fi
  command install -m 644 "$kept" "$file" # the linker makes a program
}

# component DIR leaves the same engine as a component there, dist unless told.
component() {
  local to core cargo
  cargo=$(newest_cargo) || fail "the component wants Rust 1.85 or newer. Install it and run me again."
  to=$(realpath -m "${1:-dist}") core=$(mktemp)
  wasm_module "$core" component ./wasm/component
  say "building $to/elicit.component.wasm"
  mkdir -p "$to"
  env -u RUSTC "$cargo" run --quiet --locked --manifest-path wasm/component/wrap/Cargo.toml --target-dir dist/wrap -- \
    "$core" wasm/elicit.wit "$to/elicit.component.wasm"
  rm "$core"
}

# lib DIR FLAGS... leaves the shared library there, dist unless told; the flags are for go build, "-tags slim" for a
# library that runs no guardians.
lib() {
  need_go
  command -v "${CC:-cc}" >/dev/null || fail "a C compiler is missing. Install gcc or clang and run me again."
  local to=${1:-dist}
  [ $# = 0 ] || shift
  say "building $to/libelicit.so.1"
  mkdir -p "$to"
  lean_modfile
  # Go's own build id would depend on the place, because the path of the map is one of the flags.
  GOWORK=off CGO_ENABLED=1 go build -modfile="$PWD/dist/lean.mod" "$@" -buildmode=c-shared -trimpath \
    -o "$to/libelicit.so.1" -ldflags="-s -w -X runtime.godebugDefault=asyncpreemptoff=1 -buildid= -extldflags \
    '-Wl,-soname,libelicit.so.1 -Wl,--version-script=$PWD/cabi/libelicit.map -Wl,-z,relro,-z,now'" ./cabi
  rm -f "$to/libelicit.so.h" # what cgo writes speaks Go; elicit.h is the header
  ln -sf libelicit.so.1 "$to/libelicit.so"
  cp cabi/elicit.h "$to/"
}

# amalgamation DIR FLAGS... leaves the engine as C there, dist/c unless told. With flags for the C compiler, it also
# leaves libelicit.a and libelicit.so.1 of that C there. "amalgamation core" takes that module.
amalgamation() {
  need_go
  need wasm2c=wabt
  local tags=whole to=dist/c work
  [ "${1:-}" != core ] || { tags=browser,core to=dist/core && shift; }
  to=$(realpath -m "${1:-$to}") work=$(mktemp -d)
  [ $# = 0 ] || shift
  wasm_module "$work/elicit.wasm" "$tags"
  say "translating it to C in $to"
  GOFLAGS= go run ./wasm/amalgam "$work/elicit.wasm" "$to"
  rm -r "$work"
  [ $# = 0 ] || c_library "$to" "CFLAGS=$*"
}

# c_library DIR VARIABLES... compiles the C in DIR, by its Makefile, as many files at once as there are processors.
c_library() {
  need make=make
  say "compiling $1"
  nice make -s -C "$1" -j "$(nproc)" "${@:2}" libelicit.a libelicit.so.1
}

# crate [FULL CORE] leaves the Rust package in dist/, with the engine and its core as C in it: those in two directories,
# or new ones.
crate() {
  local cargo stage=$PWD/dist/crate part
  cargo=$(newest_cargo) || fail "the crate wants Rust 1.85 or newer. Install it and run me again."
  rm -rf "$stage/bindings" dist/elicit-engine-*.crate
  mkdir -p "$stage"
  git ls-files -z --cached --others --exclude-standard bindings/rust | xargs -0 cp --parents -t "$stage"
  cp LICENSE NOTICE "$stage/bindings/rust/"
  for part in full core; do
    mkdir -p "$stage/bindings/rust/c/$part"
    [ $# != 0 ] || amalgamation ${part/full/} "$stage/$part"
    cp "${1:-$stage/$part}"/*.[ch] "$stage/bindings/rust/c/$part/"
    [ $# = 0 ] || shift
  done
  say "packing the crate"
  (cd "$stage/bindings/rust" && env -u RUSTC "$cargo" package --quiet --locked --no-verify --allow-dirty \
    --target-dir "$stage/target")
  mv "$stage"/target/package/elicit-engine-*.crate dist/
}

# try_crate FILE EXAMPLE FLAGS... unpacks the crate in an empty directory, and builds an example there, with no Go, and
# no network once its dependencies are there. It says where the program is, and runs the example "form".
try_crate() {
  local here tools program said
  here=$(mktemp -d)
  program=$here/target/debug/examples/$2
  tools=$(env -u RUSTC "$(newest_cargo | sed 's/cargo$/rustc/')" --print sysroot)/bin
  tar -xzf "$1" -C "$here" --strip-components=1
  say "building the example $2 of $(basename "$1")"
  (cd "$here" && mkdir .cargo && "$tools/cargo" vendor --locked >.cargo/config.toml 2>/dev/null &&
    env -i PATH="$tools:/usr/bin:/bin" HOME="$here" CC="${CC:-cc}" \
      cargo build --quiet --locked --offline --example "$2" "${@:3}" >&2) || fail "the crate does not build"
  if [ "$2" = form ]; then
    said=$("$program" '{"type":"object","properties":{"days":{"type":"integer","maximum":30}}}' '{"days":99}')
    [[ $said == *$'\n/days: '* ]] || fail "the crate does not run: $said"
    rm -rf "$here"
  else
    echo "$program"
  fi
}

# build_js builds the npm package with the modules in it.
build_js() {
  need_npm
  wasm
  wasm_browser
  (cd bindings/js && js_packages && npm run --silent build)
}

playground() {
  build_js
  (cd bindings/js && npm run --silent playground -- --logLevel warn)
  say "dist/playground is ready for any web server, such as: python3 -m http.server -d dist/playground"
}

# page bundles the page that the command embeds. The bundle is committed, so that `go build` needs no npm.
page() {
  cd bindings/js
  js_packages
  npm run page --silent
}

# wheel [ARCH] leaves the Python package in dist/: a wheel that carries the library, under the oldest platform tag that
# auditwheel finds true, and a source package that does not. With ARCH, amd64 or arm64, the library is that of lib_for.
wheel() {
  local stage=$PWD/dist/wheel/stage venv=$PWD/dist/wheel/venv out=$PWD/dist/wheel/out tag library=$PWD/dist arch
  if [ $# = 0 ]; then
    lib
  else
    library=$PWD/dist/wheel/$1
    lib_for "$1" "$library"
  fi
  arch=$(machine "${1:-$(go env GOARCH)}")
  venv "$venv" bindings/python/wheel.txt
  say "building dist/elicit_engine-*_$arch.whl"
  rm -rf "$stage" "$out" dist/elicit_engine-*"_$arch.whl" dist/elicit_engine-*.tar.gz
  mkdir -p "$stage"
  git ls-files -z --cached --others --exclude-standard bindings/python | xargs -0 cp --parents -t "$stage"
  cp "$library/libelicit.so.1" "$stage/bindings/python/src/elicit_engine/"
  mkdir "$stage/bindings/python/src/elicit_engine/ask/page"
  cp ask/page/files/* internal/web/form.js internal/web/icon.svg "$stage/bindings/python/src/elicit_engine/ask/page/"
  "$venv/bin/python" -m build --no-isolation --sdist --wheel --outdir "$out" \
    "$stage/bindings/python" >"$out.log" 2>&1 ||
    { cat "$out.log" >&2; fail "the wheel was not built"; }
  "$venv/bin/python" -m wheel tags --remove --platform-tag "linux_$arch" "$out"/*.whl >/dev/null
  tag=$("$venv/bin/auditwheel" show "$out"/*.whl | grep -oE '"manylinux_[0-9_]+[a-z0-9_]*"' | head -1 | tr -d '"')
  [ -n "$tag" ] || fail "auditwheel finds no manylinux tag for this library"
  "$venv/bin/python" -m wheel tags --remove --platform-tag "$tag" "$out"/*.whl >/dev/null
  mv "$out"/elicit_engine-* dist/
  say "$(ls dist/elicit_engine-*"_$arch.whl")"
}

# install --prefix DIR puts the library, its headers and the command there, /usr/local unless told. DESTDIR is put
# before it. Nothing installed names the place, so the tree may be moved.
install() {
  local prefix=/usr/local to
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix) [ $# -gt 1 ] || fail "--prefix needs a directory"; prefix=$2; shift 2 ;;
      --prefix=*) prefix=${1#*=}; shift ;;
      *) fail "install knows only --prefix DIR, not $1" ;;
    esac
  done
  to=$(realpath -m "${DESTDIR:-}$prefix")
  mkdir -p "$to/bin"
  lib "$to/lib"
  library_files "$to" "$to/lib"
  command_go -o "$to/bin/elicit" ./cmd/elicit
  mkdir -p "$to/share/man/man1"
  "$to/bin/elicit" man >"$to/share/man/man1/elicit.1"
  say "installed elicit $(version) into $to"
}

# version prints that of the next release.
version() {
  sed -n 's/^version = "\(.*\)"/\1/p' bindings/python/pyproject.toml | grep . || fail "pyproject.toml has no version"
}

# library_files TO LIB puts headers, pkg-config and CMake files and the licences beside the library in LIB, below TO.
library_files() {
  local abi version
  version=$(version)
  abi=$(sed -n 's/^#define ELICIT_ABI \([0-9]*\)$/\1/p' cabi/elicit.h)
  [ -n "$abi" ] || fail "elicit.h names no ELICIT_ABI"
  mkdir -p "$1/include" "$1/share/doc/elicit" "$2"/{pkgconfig,cmake/elicit}
  mv "$2/elicit.h" "$1/include/"
  cp bindings/cpp/elicit.hpp bindings/cpp/elicit_contract.hpp "$1/include/"
  sed -e "s/@VERSION@/$version/" -e "s/@ABI@/$abi/" cabi/elicit.pc.in >"$2/pkgconfig/elicit.pc"
  cp cabi/elicit-config.cmake "$2/cmake/elicit/"
  sed "s/@VERSION@/$version/" cabi/elicit-config-version.cmake.in >"$2/cmake/elicit/elicit-config-version.cmake"
  cp LICENSE NOTICE "$1/share/doc/elicit/"
}

# demo says what it builds, because the first time takes minutes.
demo() {
  need_go
  say "1 of 3: the command and the servers of the demo"
  mkdir -p dist
  counted command_go -v -o dist/ ./cmd/elicit $programs
  say "2 of 3: a server that asks (examples/gate)"
  CGO_ENABLED=0 counted go -C examples build -v -trimpath -o "$PWD/dist/gate" ./gate
  say "3 of 3: a guardian from the template for Go"
  rm -rf dist/demo-guardian
  ./dist/elicit guardian new --lang go dist/demo-guardian >/dev/null
  (cd dist/demo-guardian && counted go run build.go &&
    ../elicit guardian pin guardian.wasm --settings '{"allow": ["login.acme.example"]}' --output permit.json)
  ./dist/demo -bin dist "$@"
}

# counted runs a build, and counts the packages that it names in place of a list: all on a terminal, else each 100th.
counted() {
  local every=100
  [ -t 2 ] && every=1
  "$@" 2> >(awk -v every=$every '
    BEGIN { told = every > 1 ? "%d packages compiled\n" : "\r%d packages compiled" }
    /^[a-z0-9.\/_-]+$/ { if (++n % every == 0) printf(told, n); next }
    { print }
    END { if (every == 1 && n) print "" }' >&2)
}
