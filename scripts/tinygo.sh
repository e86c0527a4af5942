# shellcheck shell=bash
# The compiler of the Wasm modules. TinyGo's own archive is no part of any registry, so it is built from its Go module
# with Debian's LLVM.

tinygo_version=v0.41.1
tinygo_sum=h1:Hp1Frc4zQALL88t49XraSZEwkIYEjMOmmurlmsTigzE=
llvm=/usr/lib/llvm-19

# need_tinygo makes sure that dist/tinygo has the compiler.
need_tinygo() {
  local root=$PWD/dist/tinygo source stamp new
  stamp="$tinygo_version $tinygo_sum $(declare -f mend_tinygo mend_collector mend_heap mend_texts | cksum)"
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
# exports of every module. TinyGo calls an optimiser of modules, which saves nothing here. Its interpreter prints an
# instruction for every error, though most are no failures. Each print reads the whole module: a fifth of the time.
mend_tinygo() {
  local map=$1/compiler/map.go float=$1/src/runtime/float.go
  local key='llvmStoredKeyType, "range.key")' spelled=inst.llvmInst.String
  [ "$(grep -cF "$key" "$map")" = 1 ] && [ "$(grep -c '^//export fm' "$float")" = 4 ] &&
    [ "$(cat "$1"/interp/{errors,interpreter}.go | grep -cF "$spelled()")" = 3 ] ||
    fail "TinyGo's source is not what scripts/tinygo.sh mends"
  sed -i "/range\.key\")/a b.CreateStore(llvm.ConstNull(llvmStoredKeyType), mapKeyAlloca)" "$map"
  sed -i 's,^//export \(fm[a-z]*\)$,//go:linkname \1 \1,' "$float"
  sed -i "s/$spelled()/\"\"/" "$1"/interp/{errors,interpreter}.go
  mend_collector "$1/src/runtime"
  mend_heap "$1/src/runtime"
  mend_texts "$1/compiler"
  # It is called as wasm-opt: LEVEL -g FROM --output TO.
  printf '#!/bin/sh\n[ "$1" = --version ] && echo "wasm-opt version 119" || cp "$3" "$5"\n' >"$1/no-wasm-opt"
  chmod +x "$1/no-wasm-opt"
}

# mend_collector RUNTIME lets the collector read as pointers only what may be one. It would read half a megabyte of
# texts and tables that never change, and keep nearly every large block, because some word in them has its address. The
# linker lays them before what may change, which begins with the first object file's. There, a place that begins with
# an address of the heap is no pointer, because nothing is in the heap yet. A place that the initialisers of packages
# gave an address beyond the heap is no pointer either. Digests in a table are such places.
mend_collector() {
  local arch=$1/arch_tinygowasm.go globals=$1/gc_globals.go heap=$1/gc_blocks.go entry=$1/runtime_wasmentry.go
  [ "$(grep -c '^	globalsStart = uintptr(unsafe.Pointer(&globalsStartSymbol))$' "$arch")" = 1 ] &&
    [ "$(grep -c '^	found(globalsStart, globalsEnd)$' "$globals")" = 1 ] &&
    [ "$(grep -c '^func initHeap() {$' "$heap")" = 1 ] && [ "$(grep -c '^		initAll()$' "$entry")" = 1 ] ||
    fail "TinyGo's collector is not what scripts/tinygo.sh mends"
  sed -i 's,^\tglobalsStart = .*,\tglobalsStart = uintptr(unsafe.Pointer(\&changing)),' "$arch"
  sed -i 's,^\tfound(globalsStart.*,\tfindPointers(found),' "$globals"
  sed -i 's,^func initHeap() {$,&\n\tfindNumbers(heapStart),' "$heap"
  sed -i 's,^\t\tinitAll()$,&\n\t\tfindNumbers(uintptr(metadataStart)),' "$entry"
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

// findNumbers finds the globals with at least a value that no pointer has, and its own. It runs before anything is in
// the heap, and when all packages are initialised.
func findNumbers(least uintptr) {
	for at := globalsStart; at < globalsEnd; at += wordSize {
		place, bit := numberAt(at)
		if place == uintptr(len(numbers)) {
			return
		}
		own := at-uintptr(unsafe.Pointer(&numbers)) < unsafe.Sizeof(numbers)
		if own || *(*uintptr)(unsafe.Pointer(at)) >= least {
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

# mend_heap RUNTIME makes the heap's allocator faster. It takes the blocks of a small object from the rest of the free
# range that it took last, where it put the rest of each range into a sorted list. It marks the blocks of a large object
# and looks for free ones by the byte, each of which tells of four.
mend_heap() {
  local gc=$1/gc_blocks.go
  [ "$(grep -cE 'insertFreeRange\(unsafe.Add\(ptr,|pointer = popFreeRange|^.freeRanges = nil$' "$gc")" = 3 ] &&
    [ "$(grep -cE '^.for i := block \+ 1;|block > 0 && \(block-1\).state\(\) [!=]= blockStateFree \{$' "$gc")" = 3 ] ||
    fail "TinyGo's heap is not what scripts/tinygo.sh mends"
  sed -i -e 's/insertFreeRange(unsafe.Add(ptr, \(.*\)$/setSpare(unsafe.Add(ptr, \1/' \
    -e 's/pointer = popFreeRange(/pointer = takeBlocks(/' -e 's/^\tfreeRanges = nil$/&\n\tspareLen = 0/' \
    -e 's/^\tfor i := block + 1; i != block+gcBlock(neededBlocks);/\tend := block + gcBlock(neededBlocks)&/' \
    -e 's/^\(\tend .*)\)\tfor .*/\1\n\tfor i := setTails(block+1, end); i != end; i++ {/' \
    -e 's/^\(\t*\)for block > 0 && (block-1).state() != blockStateFree {$/&\n\1\tblock = skipBlocks(block, false)/' \
    -e 's/^\(\t*\)for block > 0 && (block-1).state() == blockStateFree {$/&\n\1\tblock = skipBlocks(block, true)/' "$gc"
  cat >"$1/gc_spare.go" <<'END'
//go:build gc.conservative || gc.precise

package runtime

import "unsafe"

// The rest of the free range that was taken last. Its blocks are free, so a collection finds them again.
var (
	spare    unsafe.Pointer
	spareLen uintptr
)

func takeBlocks(n uintptr) unsafe.Pointer {
	if n > spareLen {
		return popFreeRange(n)
	}
	at := spare
	spare = unsafe.Add(at, n*bytesPerBlock)
	spareLen -= n
	return at
}

// setSpare keeps the longer one of two ranges at hand.
func setSpare(at unsafe.Pointer, n uintptr) {
	if n < spareLen {
		insertFreeRange(at, n)
		return
	}
	if spareLen > 0 {
		insertFreeRange(spare, spareLen)
	}
	spare, spareLen = at, n
}

// setTails marks the blocks of whole bytes from block on, and returns the first block that is not marked.
func setTails(block, end gcBlock) gcBlock {
	for ; block < end && block%blocksPerStateByte != 0; block++ {
		block.setState(blockStateTail)
	}
	for ; block+blocksPerStateByte <= end; block += blocksPerStateByte {
		*(*byte)(unsafe.Add(metadataStart, block/blocksPerStateByte)) = blockStateByteAllTails
	}
	return block
}

// skipBlocks leaves out the blocks before block that are free, or not, in whole bytes, but one.
func skipBlocks(block gcBlock, free bool) gcBlock {
	first := block
	for ; block%blocksPerStateByte == 0 && block > 0; block -= blocksPerStateByte {
		state := (block - 1).stateByte()
		if free && state != 0 || !free && (state|state>>blocksPerStateByte)&blockStateEach != blockStateEach {
			break
		}
	}
	if block < first {
		block++
	}
	return block
}
END
}

# mend_texts COMPILER lets a text made of bytes share them where it is only compared or looked up, before anything can
# change the bytes. Go's own compiler does so, and bytes.Equal counts on it.
mend_texts() {
  local compiler=$1/compiler.go
  [ "$(grep -c '^	case \*ssa.Convert:$' "$compiler")" = 1 ] ||
    fail "TinyGo's compiler is not what scripts/tinygo.sh mends"
  sed -i '/^\tcase \*ssa.Convert:$/{n;s/$/\n\t\tif mayShare(expr) {\n\t\t\treturn b.share(x), nil\n\t\t}/}' "$compiler"
  cat >"$1/share.go" <<'END'
package compiler

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"tinygo.org/x/go-llvm"
)

// share makes a text of the bytes of a slice, without a copy.
func (b *builder) share(slice llvm.Value) llvm.Value {
	text := llvm.Undef(b.getLLVMRuntimeType("_string"))
	text = b.CreateInsertValue(text, b.CreateExtractValue(slice, 0, ""), 0, "")
	return b.CreateInsertValue(text, b.CreateExtractValue(slice, 1, ""), 1, "")
}

func mayShare(made *ssa.Convert) bool {
	slice, ok := made.X.Type().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	item, ok := slice.Elem().(*types.Basic)
	text, is := made.Type().Underlying().(*types.Basic)
	if !ok || item.Kind() != types.Byte || !is || text.Info()&types.IsString == 0 {
		return false
	}
	for _, use := range *made.Referrers() {
		switch use := use.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.BinOp:
			switch use.Op {
			case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			default:
				return false
			}
		case *ssa.Lookup:
		default:
			return false
		}
		if !nothingChanges(made, use) {
			return false
		}
	}
	return true
}

// nothingChanges tells whether all that can run between two instructions only reads.
func nothingChanges(from, to ssa.Instruction) bool {
	for block, end := to.Block(), slices.Index(to.Block().Instrs, to); ; end = len(block.Instrs) {
		for i := end - 1; i >= 0; i-- {
			switch at := block.Instrs[i].(type) {
			case *ssa.BinOp, *ssa.If, *ssa.Jump, *ssa.Convert, *ssa.Lookup, *ssa.Slice, *ssa.IndexAddr, *ssa.Index,
				*ssa.FieldAddr, *ssa.Field, *ssa.Extract, *ssa.Phi, *ssa.ChangeType, *ssa.DebugRef:
			case *ssa.UnOp:
				if at.Op == token.ARROW {
					return false
				}
			default:
				return false
			}
			if block.Instrs[i] == from {
				return true
			}
		}
		if len(block.Preds) != 1 {
			return false
		}
		block = block.Preds[0]
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
