#!/bin/sh
# Rust has no words for a constant global of a given value, but the linker takes one from an object file. This is the
# whole of it: elicit_guardian_abi = 0x10000, exported.
set -eu
{
  printf '\000asm\001\000\000\000\006\010\001\177\000A\200\200\004\013\000$\007linking\002\010\031\001'
  printf '\002\240\001\000\023elicit_guardian_abi\000\042\017target_features\001+\017mutable-globals'
} >"$1"
