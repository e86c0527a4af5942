# shellcheck shell=bash
# The compiler of the Wasm modules. TinyGo's own archive is no part of any registry, so it is built from its Go module
# with Debian's LLVM.

tinygo_version=v0.41.1
tinygo_sum=h1:Hp1Frc4zQALL88t49XraSZEwkIYEjMOmmurlmsTigzE=
llvm=/usr/lib/llvm-19

# need_tinygo makes sure that dist/tinygo has the compiler.
need_tinygo() {
  local root=$PWD/dist/tinygo source
  [ "$(cat "$root/.installed-from" 2>/dev/null || true)" != "$tinygo_version $tinygo_sum" ] || return 0
  need_go
  need g++=g++ file:$llvm/include/llvm/Config/llvm-config.h=llvm-19-dev file:$llvm/bin/clang=clang-19 \
    file:$llvm/include/clang-c/Index.h=libclang-19-dev file:$llvm/bin/wasm-ld=lld-19
  say "building TinyGo $tinygo_version, in some minutes"
  source=$(cd / && GOFLAGS=-mod=mod go mod download -json "github.com/tinygo-org/tinygo@$tinygo_version") ||
    fail "TinyGo's source could not be fetched. See that Go reaches its module proxy, and run me again."
  grep -qF "\"Sum\": \"$tinygo_sum\"" <<<"$source" || fail "TinyGo's source has another checksum than $tinygo_sum"
  source=$(sed -n 's/.*"Dir": "\(.*\)",*/\1/p' <<<"$source")
  mkdir -p dist
  cp -r "$source" "$root.$$" # several builds may run at once, and each finds whole files
  chmod -R u+w "$root.$$"
  mkdir -p "$root.$$/src/net" # a submodule, which the module lacks; the engine has no network
  mend_tinygo "$root.$$"
  (cd "$root.$$" && GOWORK=off GOFLAGS= CGO_ENABLED=1 go build -trimpath -tags llvm19 -o tinygo .) ||
    fail "TinyGo could not be built"
  printf '%s\n' "$tinygo_version $tinygo_sum" >"$root.$$/.installed-from"
  rm -rf "$root"
  mv -T "$root.$$" "$root" 2>/dev/null || rm -rf "$root.$$" # another build was first
}

# mend_tinygo ROOT changes the source. Iteration over a map with keys such as a struct with a text reads the key before
# it knows that there is one, from a pointer that may be anything. Four functions for floating-point numbers would be
# exports of every module. TinyGo calls an optimiser of modules, which saves nothing here.
mend_tinygo() {
  local map=$1/compiler/map.go float=$1/src/runtime/float.go
  local key='llvmStoredKeyType, "range.key")'
  [ "$(grep -cF "$key" "$map")" = 1 ] && [ "$(grep -c '^//export fm' "$float")" = 4 ] ||
    fail "TinyGo's source is not what scripts/tinygo.sh mends"
  sed -i "/range\.key\")/a b.CreateStore(llvm.ConstNull(llvmStoredKeyType), mapKeyAlloca)" "$map"
  sed -i 's,^//export \(fm[a-z]*\)$,//go:linkname \1 \1,' "$float"
  # It is called as wasm-opt: LEVEL -g FROM --output TO.
  printf '#!/bin/sh\n[ "$1" = --version ] && echo "wasm-opt version 119" || cp "$3" "$5"\n' >"$1/no-wasm-opt"
  chmod +x "$1/no-wasm-opt"
}

# tinygo ARGUMENT... runs the compiler.
tinygo() {
  need_tinygo
  PATH=$llvm/bin:$PATH TINYGOROOT=$PWD/dist/tinygo WASMOPT=$PWD/dist/tinygo/no-wasm-opt GOWORK=off \
    "$PWD/dist/tinygo/tinygo" "$@"
}
