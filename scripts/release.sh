# shellcheck shell=bash
# Makes what is shipped, twice, and compares the bytes.

# release makes dist/release from the last commit: archives of the command, the library, the guardians and Elicit in C,
# the modules, packages for Debian, Java, npm, Python, Rust, Emacs and Neovim, a bill of materials and checksums. It
# makes everything twice, in two places and with an empty Go cache for the second, and fails if one byte differs.
# ELICIT_TARGETS lists the systems of the command.
release() {
  need_go
  need_npm
  local root=$PWD place work
  [ -z "$(git status --porcelain)" ] || say "a release has only what is committed; the changes beside it are left out"
  work=$(mktemp -d)
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
  export SOURCE_DATE_EPOCH
  for place in first second/deeper; do
    git clone -q --shared "$root" "$work/$place/elicit"
  done
  for place in first second/deeper; do
    say "making it, the $(dirname "$place/." | cut -d/ -f1) time"
    [ "$place" = first ] || export GOCACHE="$work/cache"
    (cd "$work/$place/elicit" && ./build.sh assemble "$work/$place/out")
  done
  diff -r "$work/first/out" "$work/second/deeper/out" || fail "two builds of one commit differ; both are in $work"
  if [ "$(uname -sm)" = "Linux x86_64" ]; then
    try_deb "$work"/first/out/elicit_*_amd64.deb
    try_library "$work"/first/out/libelicit*_amd64.deb
    try_jar "$work"/first/out/elicit-engine-*.jar
    try_crate "$work"/first/out/elicit-engine-*.crate form --no-default-features
  fi
  rm -rf "$root/dist/release" && mkdir -p "$root/dist"
  mv "$work/first/out" "$root/dist/release"
  chmod -R u+w "$work" && rm -rf "$work"
  say "the same bytes twice:"
  (cd "$root/dist/release" && sha256sum ./* && sha256sum --quiet -c SHA256SUMS)
}

# assemble DIR makes the files of a release there, once.
assemble() {
  local to=$1 version target stage arch kind
  version=$(version)
  stage=$PWD/dist/assembled
  mkdir -p "$to" "$stage"
  wasm
  wasm_browser
  wasm_core
  component
  for kind in .wasm -browser.wasm -core.wasm .component.wasm; do # pages of the log show the digest of one
    cp "dist/elicit$kind" "$to/elicit${kind%%.*}-$version.${kind#*.}"
  done
  beside_command "$stage/beside"
  for target in ${ELICIT_TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64}; do
    command_archive "$to" "$stage" "elicit-$version-${target/\//-}" "$target"
    [ "${target%/*}" != linux ] ||
      deb "$to" "$stage" "$version" "${target#*/}" "$stage/elicit-$version-${target/\//-}"
  done
  for arch in amd64 arm64; do
    lib_for "$arch" "$stage/libelicit-$version-linux-$arch/lib"
    library_files "$stage/libelicit-$version-linux-$arch" "$stage/libelicit-$version-linux-$arch/lib"
    archive "$to" "$stage" "libelicit-$version-linux-$arch"
    deb_library "$to" "$stage" "$version" "$arch" "$stage/libelicit-$version-linux-$arch"
    wheel "$arch"
  done
  mv dist/elicit_engine-*.whl "$to/"
  for kind in "" core; do
    amalgamation $kind "$stage/elicit-${kind:+$kind-}c-$version"
    archive "$to" "$stage" "elicit-${kind:+$kind-}c-$version"
  done
  jar_for "$to" "$stage/elicit-c-$version" amd64 arm64
  crate "$stage/elicit-c-$version" "$stage/elicit-core-c-$version"
  mv dist/elicit-engine-*.crate "$to/"
  guardians_archive "$to" "$stage" "elicit-guardians-$version"
  bindings/emacs/pack.sh "$to"
  bindings/lua/pack.sh "$stage/elicit.nvim-$version" "c=$stage/elicit-c-$version" \
    "x86_64=$stage/libelicit-$version-linux-amd64/lib/libelicit.so.1" \
    "aarch64=$stage/libelicit-$version-linux-arm64/lib/libelicit.so.1"
  archive "$to" "$stage" "elicit.nvim-$version"
  tar -xzf "dist/elicit_engine-$version.tar.gz" -C "$stage" # made by a tool that writes the time of day
  archive "$to" "$stage" "elicit_engine-$version"
  cd bindings/js
  js_packages
  npm pack --silent --pack-destination "$to" >/dev/null
  cd ../..
  venv dist/sbom scripts/release.txt
  dist/sbom/bin/python scripts/sbom.py "$version" >"$to/elicit-$version.cdx.json"
  (cd "$to" && sha256sum ./* >"$stage/SHA256SUMS" && mv "$stage/SHA256SUMS" .)
}

# beside_command DIR makes the other files of the command's packages: the manual page, completions for shells, and
# the engine for browsers, which `elicit log --html` puts into its pages.
beside_command() {
  local to=$1 here
  here=$(mktemp -d)
  say "writing the manual page and the completions"
  mkdir -p "$to/completions"
  command_go -o "$here/elicit" ./cmd/elicit
  "$here/elicit" man >"$to/elicit.1"
  "$here/elicit" completion bash >"$to/completions/elicit.bash"
  "$here/elicit" completion zsh >"$to/completions/_elicit"
  "$here/elicit" completion fish >"$to/completions/elicit.fish"
  rm -r "$here"
  cp dist/elicit-browser.wasm LICENSE NOTICE README.md "$to/"
  cp plugins/guests/NOTICE "$to/NOTICE.guardians"
}

# command_archive DIR STAGE NAME OS/ARCH makes the archive of the command for one system.
command_archive() {
  local name=elicit cli=github.com/elicit-engine/elicit/cmd/elicit/internal/cli
  say "building $3"
  [ "${4%/*}" = windows ] && name=elicit.exe
  rm -rf "${2:?}/$3"
  cp -r "$2/beside" "$2/$3"
  GOOS=${4%/*} GOARCH=${4#*/} command_go -ldflags="-s -w -X $cli.release=v$(version)" -o "$2/$3/$name" ./cmd/elicit
  archive "$1" "$2" "$3"
}

# guardians_archive DIR STAGE NAME makes the archive of the ready guardians with their settings and licences.
guardians_archive() {
  local file name
  build_guests
  mkdir -p "$2/$3"
  for file in dist/guests/*.wasm; do
    name=$(basename "$file" .wasm)
    cp "$file" "$2/$3/"
    cp "plugins/guests/$name/guardian.json" "$2/$3/$name.json"
  done
  cp LICENSE plugins/guests/NOTICE "$2/$3/"
  archive "$1" "$2" "$3"
}

# archive DIR STAGE NAME packs STAGE/NAME without its owner, its time and the order in which it was made.
archive() {
  tar -C "$2" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    -cf - "$3" | gzip -9n >"$1/$3.tar.gz"
}
