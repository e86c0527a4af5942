# shellcheck shell=bash
# The compiler of the Wasm modules. TinyGo's own archive is no part of any registry, so it is built from its Go module
# with Debian's LLVM.

tinygo_version=v0.41.1
tinygo_sum=h1:Hp1Frc4zQALL88t49XraSZEwkIYEjMOmmurlmsTigzE=
llvm=/usr/lib/llvm-19

# need_tinygo makes sure that dist/tinygo has the compiler.
need_tinygo() {
  local root=$PWD/dist/tinygo source stamp new
  stamp="$tinygo_version $tinygo_sum $(declare -f mend_tinygo mend_collector | cksum)"
  [ "$(cat "$root/.installed-from" 2>/dev/null || true)" != "$stamp" ] || return 0
  need_go
  need g++=g++ file:$llvm/include/llvm/Config/llvm-config.h=llvm-19-dev file:$llvm/bin/clang=clang-19 \
    file:$llvm/include/clang-c/Index.h=libclang-19-dev file:$llvm/bin/wasm-ld=lld-19
  say "building TinyGo $tinygo_version, in some minutes"
  source=$(cd / && GOFLAGS=-mod=mod go mod download -json "github.com/tinygo-org/tinygo@$tinygo_version") ||
    fail "TinyGo's source could not be fetched. See that Go reaches its module proxy, and run me again."
  grep -qF "\"Sum\": \"$tinygo_sum\"" <<<"$source" || fail "TinyGo's source has another checksum than $tinygo_sum"
  source=$(sed -n 's/.*"Dir": "\(.*\)",*/\1/p' <<<"$source")
  mkdir -p dist
  new=$root.$BASHPID # several builds may run at once, and each finds whole files
  cp -r "$source" "$new"
  chmod -R u+w "$new"
  mkdir -p "$new/src/net" # a submodule, which the module lacks; the engine has no network
  mend_tinygo "$new"
  (cd "$new" && GOWORK=off GOFLAGS= CGO_ENABLED=1 go build -trimpath -tags llvm19 -o tinygo .) ||
    fail "TinyGo could not be built"
  printf '%s\n' "$stamp" >"$new/.installed-from"
  rm -rf "$root"
  mv -T "$new" "$root" 2>/dev/null || rm -rf "$new" # another build was first
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
  mend_collector "$1/src/runtime"
  # It is called as wasm-opt: LEVEL -g FROM --output TO.
  printf '#!/bin/sh\n[ "$1" = --version ] && echo "wasm-opt version 119" || cp "$3" "$5"\n' >"$1/no-wasm-opt"
  chmod +x "$1/no-wasm-opt"
}

# mend_collector RUNTIME lets the collector read as pointers only what may be one. It would read half a megabyte of
# texts and tables that never change, and keep nearly every large block, because some word in them has its address. The
# linker lays them before what may change, which begins with the first object file's. There, a place that begins with
# an address of the heap is no pointer, because nothing is in the heap yet.
mend_collector() {
  local arch=$1/arch_tinygowasm.go globals=$1/gc_globals.go heap=$1/gc_blocks.go
  [ "$(grep -c '^	globalsStart = uintptr(unsafe.Pointer(&globalsStartSymbol))$' "$arch")" = 1 ] &&
    [ "$(grep -c '^	found(globalsStart, globalsEnd)$' "$globals")" = 1 ] &&
    [ "$(grep -c '^func initHeap() {$' "$heap")" = 1 ] || fail "TinyGo's collector is not what scripts/tinygo.sh mends"
  sed -i 's,^\tglobalsStart = .*,\tglobalsStart = uintptr(unsafe.Pointer(\&changing)),' "$arch"
  sed -i 's,^\tfound(globalsStart.*,\tfindPointers(found),' "$globals"
  sed -i 's,^func initHeap() {$,&\n\tfindNumbers(),' "$heap"
  cat >>"$1/asm_tinygowasm.S" <<'END'

.section .data.changing,"",@
.globl changing
.hidden changing
.type changing,@object
.size changing,4
.p2align 4
changing:
    .int32 1
END
  cat >"$1/gc_numbers.go" <<'END'
//go:build tinygo.wasm && (gc.conservative || gc.precise)

package runtime

import "unsafe"

//go:extern changing
var changing [0]byte

// numbers has a bit for each of the first words of the globals: whether it is no pointer.
var numbers [1 << 13]byte

const wordSize = unsafe.Sizeof(uintptr(0))

func numberAt(at uintptr) (place uintptr, bit byte) {
	word := (at - globalsStart) / wordSize
	return word / 8, 1 << (word % 8)
}

// findNumbers runs before anything is in the heap.
func findNumbers() {
	for at := globalsStart; at < globalsEnd; at += wordSize {
		place, bit := numberAt(at)
		if place == uintptr(len(numbers)) {
			return
		}
		if *(*uintptr)(unsafe.Pointer(at)) >= heapStart {
			numbers[place] |= bit
		}
	}
}

// findPointers calls found for each stretch of globals without numbers.
func findPointers(found func(start, end uintptr)) {
	from := globalsStart
	for at := globalsStart; at < globalsEnd; at += wordSize {
		place, bit := numberAt(at)
		if place == uintptr(len(numbers)) {
			break
		}
		if numbers[place]&bit == 0 {
			continue
		}
		if from < at {
			found(from, at)
		}
		from = at + wordSize
	}
	if from < globalsEnd {
		found(from, globalsEnd)
	}
}
END
}

# tinygo ARGUMENT... runs the compiler.
tinygo() {
  need_tinygo
  PATH=$llvm/bin:$PATH TINYGOROOT=$PWD/dist/tinygo WASMOPT=$PWD/dist/tinygo/no-wasm-opt GOWORK=off \
    "$PWD/dist/tinygo/tinygo" "$@"
}
