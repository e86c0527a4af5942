#!/bin/sh
# Builds guardian.wasm. Needs Rust 1.63 or newer with its target wasm32-unknown-unknown.
set -eu
cd "$(dirname "$0")"
sh abi.sh abi.o
"${CARGO:-cargo}" build --release --offline --quiet --target-dir target
cp target/wasm32-unknown-unknown/release/guardian.wasm guardian.wasm
