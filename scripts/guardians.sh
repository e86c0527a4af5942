# shellcheck shell=bash
# Builds guardians: the useful ones, and the examples of the author kits.

# kits builds the example of every author kit again and gives all of them the same cases.
kits() {
  rm -rf dist/guests/kits
  kit_examples
  run_tests ./plugins/pdk/...
}

# kit_examples installs the kits' toolchains and leaves each one's example in dist/guests/kits, where the tests want
# them from then on.
kit_examples() {
  local tools
  need_go
  need clang=clang wasm-ld=lld
  need_npm
  say "building the kits' examples"
  install_rust
  tools=$(clang --version; wasm-ld --version; "$CARGO" -V; "$RUSTC" -Vv; node -v; npm -v; go version)
  rm -rf dist/guests/kits-before
  mkdir -p dist/guests/kits
  mv dist/guests/kits dist/guests/kits-before
  mkdir dist/guests/kits
  kit c/template hosts-c ./build.sh
  kit rust/template hosts-rust ./build.sh
  kit assemblyscript/template hosts-assemblyscript npm run build --silent
  kit go/template hosts-go go run build.go
  rm -rf dist/guests/kits-before
  export ELICIT_KITS=1
}

# rust_packages are Debian's Rust with its target for Wasm.
rust_packages=(file:/usr/bin/cargo=cargo file:/usr/bin/rustc=rustc
  file:/usr/lib/rustlib/wasm32-unknown-unknown=libstd-rust-dev-wasm32)

# install_rust chooses the Rust that builds guests: Debian's, whose modules everybody can make again, else any.
install_rust() {
  if command -v apt-get >/dev/null; then need "${rust_packages[@]}"; fi
  export CARGO=cargo RUSTC=rustc
  if [ -d /usr/lib/rustlib/wasm32-unknown-unknown ]; then CARGO=/usr/bin/cargo RUSTC=/usr/bin/rustc; fi
  [ -d "$($RUSTC --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] ||
    fail "Rust's target wasm32-unknown-unknown is missing. Install it and run me again."
}

# guests builds the useful guardians and runs their cases. A copy elsewhere must become the same bytes.
guests() {
  local copy module
  need_go
  build_guests
  copy=$(mktemp -d)
  cp -r --parents plugins/Cargo.* plugins/guests plugins/pdk/rust "$copy"
  (cd "$copy" && build_guests)
  for module in dist/guests/*.wasm; do
    cmp "$module" "$copy/$module" || fail "$module depends on where it is built"
  done
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
  local flags="-C target-feature=+bulk-memory -C link-arg=../dist/rust/abi.o -C link-arg=-zstack-size=32768"
  (cd plugins && RUSTFLAGS=$flags \
    "$CARGO" build --release --offline --quiet --target wasm32-unknown-unknown --target-dir ../dist/rust)
  build_cel
  for guest in plugins/guests/*/guardian.json; do
    name=$(basename "$(dirname "$guest")")
    [ "$name" = cel ] && continue
    cp "dist/rust/wasm32-unknown-unknown/release/${name//-/_}.wasm" "dist/guests/$name.wasm"
  done
  export ELICIT_GUESTS=1
}

# build_cel builds the guardian with rules in CEL. Its interpreter needs a newer Rust than Debian's, so rustup's is used
# with crates from the registry. The module must not depend on where it is built. Therefore paths are replaced, and the
# kit is copied into the guardian's workspace. Cargo names a crate outside of it by its absolute path.
build_cel() {
  local cargo root=$PWD home=${CARGO_HOME:-$HOME/.cargo} stage=dist/cel/source flags
  command -v rustup >/dev/null ||
    fail "rustup is missing: the CEL guardian needs Rust 1.86 or newer. Install it and run me again."
  cargo=$(rustup which cargo)
  rustup target add wasm32-unknown-unknown >/dev/null 2>&1 || fail "rustup cannot install wasm32-unknown-unknown."
  rm -rf "$stage"
  mkdir -p "$stage"
  # With their times, or cargo would compile them again.
  cp -rp plugins/guests/cel/{Cargo.toml,Cargo.lock,guardian.json,src} "$stage"
  cp -rp plugins/pdk/rust/template/elicit-guardian "$stage/kit"
  sed -i.old 's|"\.\./\.\./pdk/rust/template/elicit-guardian"|"kit"|' "$stage/Cargo.toml"
  flags="-C target-feature=+bulk-memory -C link-arg=../../rust/abi.o -C link-arg=-zstack-size=262144"
  flags="$flags --remap-path-prefix=$home=cargo --remap-path-prefix=$root=elicit"
  (cd "$stage" && RUSTC=$(rustup which rustc) RUSTFLAGS=$flags \
    "$cargo" build --release --locked --quiet --target wasm32-unknown-unknown --target-dir ..)
  cp dist/cel/wasm32-unknown-unknown/release/cel_guardian.wasm dist/guests/cel.wasm
}

# kit DIRECTORY NAME COMMAND... builds an example where a stranger would, in a copy of its language's kit outside this
# tree. The module that an earlier run left is kept if the files, the command and the tools are the same as then.
kit() {
  local copy at=plugins/pdk/$1 module=$2.wasm from=$2.from before=dist/guests/kits-before
  shift 2
  copy=$(mktemp -d)
  git ls-files -z --cached --others --exclude-standard "$(dirname "$at")" plugins/pdk/c/template |
    xargs -0 cp --parents -t "$copy"
  { printf '%s\n' "$*" "$tools"; (cd "$copy" && find . -type f -exec sha256sum {} + | sort -k 2); } \
    >"dist/guests/kits/$from"
  if cmp -s "dist/guests/kits/$from" "$before/$from" && (cd "$before" && sha256sum --quiet -c "$module.sum"); then
    mv "$before/$module" "$before/$module.sum" dist/guests/kits
    touch "dist/guests/kits/$module"
  else
    (cd "$copy/$at" && "$@") >&2 || fail "$at does not build"
    cp "$copy/$at/guardian.wasm" "dist/guests/kits/$module"
    (cd dist/guests/kits && sha256sum "$module" >"$module.sum")
  fi
  rm -rf "$copy"
}

# newest_cargo prints the first cargo of Rust 1.85 or newer.
newest_cargo() {
  local cargo
  for cargo in cargo "$HOME/.cargo/bin/cargo"; do
    if printf '%s\n%s\n' "cargo 1.85" "$("$cargo" --version 2>/dev/null)" | sort -VC; then
      echo "$cargo"
      return
    fi
  done
  return 1
}

# build_smith builds the program that makes modules by the thousand for the meter's test. It needs Rust 1.85 or newer;
# without that the test is skipped.
build_smith() {
  local cargo
  if cargo=$(newest_cargo); then
    say "building testdata/smith"
    (cd testdata/smith && env -u RUSTC "$cargo" build --locked --quiet >&2) && return
  fi
  say "testdata/smith is not built; it wants Rust 1.85 or newer and the crates of its Cargo.lock"
}
