#!/bin/sh
# Builds guardian.wasm. Needs Rust 1.63 or newer with its target wasm32-unknown-unknown.
set -eu
cd "$(dirname "$0")"
CARGO=${CARGO:-cargo} RUSTC=${RUSTC:-rustc}
command -v "$CARGO" >/dev/null || {
  echo "cargo is missing. Install Rust (rustup.rs; or apt-get install cargo rustc libstd-rust-dev-wasm32)" \
    "and run me again." >&2
  exit 1
}
[ -d "$("$RUSTC" --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] || {
  echo "Rust's target for Wasm is missing. Run: rustup target add wasm32-unknown-unknown" \
    "(Debian: apt-get install libstd-rust-dev-wasm32)" >&2
  exit 1
}
trap 'rm -f abi.o' EXIT
sh abi.sh abi.o
"$CARGO" build --release --offline --quiet --target-dir target
cp target/wasm32-unknown-unknown/release/guardian.wasm guardian.wasm
