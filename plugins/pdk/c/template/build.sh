#!/bin/sh
# Builds guardian.wasm. Needs clang and lld, 14 or newer.
set -eu
cd "$(dirname "$0")"
CC=${CC:-clang}
for tool in "$CC" wasm-ld; do
  command -v "$tool" >/dev/null || {
    echo "$tool is missing. Install clang and lld (apt-get install clang lld; brew install llvm lld)" \
      "and run me again." >&2
    exit 1
  }
done
trap 'rm -f abi.o' EXIT
# No C compiler writes a constant global of a given value, but the linker takes one from an object file. This is the
# whole of it: elicit_guardian_abi = 0x10000, exported.
{
  printf '\000asm\001\000\000\000\006\010\001\177\000A\200\200\004\013\000$\007linking\002\010\031\001'
  printf '\002\240\001\000\023elicit_guardian_abi\000\042\017target_features\001+\017mutable-globals'
} >abi.o
# The names of functions stay, for elicit guardian bench and test --coverage.
"$CC" --target=wasm32 -std=c99 -Wall -Wextra -O2 -ffreestanding -nostdlib -mbulk-memory \
  -Wl,--no-entry,--strip-debug,-z,stack-size=16384 -o guardian.wasm guardian.c abi.o
