# shellcheck shell=bash
# Packages the command and the library for Debian, with the system's own dpkg-deb.

# deb DIR STAGE VERSION ARCHITECTURE TREE makes DIR/elicit_VERSION-1_ARCHITECTURE.deb of the archive in TREE.
deb() {
  local tree=$5 root=$2/deb-$4
  rm -rf "$root"
  mkdir -p "$root"/usr/{bin,share/{elicit,man/man1,lintian/overrides}}
  mkdir -p "$root/usr/share"/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
  cp "$tree/elicit" "$root/usr/bin/elicit"
  cp "$tree/elicit-browser.wasm" "$root/usr/share/elicit/"
  gzip -9nc "$tree/elicit.1" >"$root/usr/share/man/man1/elicit.1.gz"
  cp "$tree/completions/elicit.bash" "$root/usr/share/bash-completion/completions/elicit"
  cp "$tree/completions/_elicit" "$root/usr/share/zsh/vendor-completions/_elicit"
  cp "$tree/completions/elicit.fish" "$root/usr/share/fish/vendor_completions.d/elicit.fish"
  cat >"$root/usr/share/lintian/overrides/elicit" <<'END'
# A Go program without cgo is one static file on every system.
elicit: statically-linked-binary [usr/bin/elicit]
END
  chmod -R u=rwX,go=rX "$root"
  chmod 755 "$root/usr/bin/elicit"
  deb_pack "$1" "$root" elicit "$3" "$4" "Suggests: tmux
Section: utils
Description: questions of programs to people, decided and answered safely
 Elicit decides what happens to a question that a program wants to ask a
 person, such as an elicitation of the Model Context Protocol. It stands
 between clients and servers, applies a policy, warns about deceptive
 requests, draws the form, checks the answer and keeps a journal.
 .
 The package has the command, its manual page, completions for shells, and
 the engine for browsers, with which \"elicit log --html\" replays journals."
}

# deb_library DIR STAGE VERSION ARCHITECTURE TREE makes libelicit1 and libelicit-dev of the files in TREE, which are
# those of an archive of the library for glibc 2.17.
deb_library() {
  local tree=$5 root=$2/deb-lib-$4 dev=$2/deb-dev-$4 at
  at=usr/lib/$(machine "$4")-linux-gnu
  rm -rf "$root" "$dev"
  mkdir -p "$root/$at" "$dev/$at/pkgconfig" "$dev/usr" "$root/DEBIAN"
  cp "$tree/lib/libelicit.so.1" "$root/$at/"
  echo "libelicit 1 libelicit1 (>= $3)" >"$root/DEBIAN/shlibs"
  echo "activate-noawait ldconfig" >"$root/DEBIAN/triggers"
  mkdir -p "$dev/usr/share/doc/libelicit-dev/examples"
  cp docs/reference/{abi,relay}.md "$dev/usr/share/doc/libelicit-dev/"
  cp cabi/example/{minimal,connection}.c cabi/example/client.{rb,php} "$dev/usr/share/doc/libelicit-dev/examples/"
  cp -r "$tree/include" "$dev/usr/"
  cp -r "$tree/lib/cmake" "$dev/$at/"
  sed -e 's|^prefix=.*|prefix=/usr|' -e "s|^libdir=.*|libdir=/$at|" "$tree/lib/pkgconfig/elicit.pc" \
    >"$dev/$at/pkgconfig/elicit.pc"
  ln -s libelicit.so.1 "$dev/$at/libelicit.so"
  chmod -R u=rwX,go=rX "$root" "$dev"
  deb_pack "$1" "$root" libelicit1 "$3" "$4" "Source: elicit
Multi-Arch: same
Depends: libc6 (>= 2.17)
Section: libs
Description: questions of programs to people, as a library
 Elicit decides what happens to a question that a program wants to ask a
 person, such as an elicitation of the Model Context Protocol.
 .
 The library is the engine for editors and agents that call C."
  deb_pack "$1" "$dev" libelicit-dev "$3" "$4" "Source: elicit
Multi-Arch: same
Depends: libelicit1 (= $3-1)
Section: libdevel
Description: questions of programs to people, headers of the library
 Elicit decides what happens to a question that a program wants to ask a
 person, such as an elicitation of the Model Context Protocol.
 .
 The package has the headers for C and C++, and the files for pkg-config and
 CMake."
}

# deb_pack DIR ROOT NAME VERSION ARCHITECTURE FIELDS adds the pages of every package to ROOT, and makes it.
deb_pack() {
  local to=$1 root=$2 name=$3 version=$4 arch=$5 doc=$2/usr/share/doc/$3 overrides=$2/usr/share/lintian/overrides
  need dpkg-deb=dpkg
  say "packaging ${name}_$version-1_$arch.deb"
  mkdir -p "$root/DEBIAN" "$doc" "$overrides"
  gzip -9nc CHANGELOG.md >"$doc/changelog.gz"
  deb_changelog "$name" "$version" | gzip -9n >"$doc/changelog.Debian.gz"
  deb_copyright >"$doc/copyright"
  cat >>"$overrides/$name" <<END
# NOTICE has the licence of each module as that module has it.
$name: copyright-file-contains-full-apache-2-license
# The package is no part of Debian, where an upload would close a bug.
$name: initial-upload-closes-no-bugs [usr/share/doc/$name/changelog.Debian.gz:1]
END
  chmod -R u=rwX,go=rX "$root/usr/share"
  cat >"$root/DEBIAN/control" <<END
Package: $name
Version: $version-1
Architecture: $arch
Maintainer: $deb_maintainer
Installed-Size: $(du -k -s --apparent-size "$root/usr" | cut -f1)
Priority: optional
Homepage: https://github.com/elicit-engine/elicit
$6
END
  (cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  chmod 644 "$root/DEBIAN"/*
  find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  # One thread, because the bytes of xz depend on their number.
  dpkg-deb --root-owner-group --threads-max=1 -Zxz -b "$root" "$to/${name}_$version-1_$arch.deb" >/dev/null
  rm -rf "$root"
}

deb_maintainer="The Elicit authors <elicit-engine@users.noreply.github.com>"

deb_changelog() {
  cat <<END
$1 ($2-1) unstable; urgency=medium

  * Release $2. The changes are in changelog.gz.

 -- $deb_maintainer  $(LC_ALL=C date -u -d "@$SOURCE_DATE_EPOCH" -R)
END
}

# deb_copyright prints the licences of everything in the package, in the form that Debian's tools read.
deb_copyright() {
  cat <<'END'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: elicit
Source: https://github.com/elicit-engine/elicit
Comment: The command and the module contain the modules below, under their own
 licences. The text is NOTICE and plugins/guests/NOTICE of the sources.
END
  sed -e 's/^$/./' -e 's/^/ /' NOTICE plugins/guests/NOTICE
  cat <<'END'

Files: *
Copyright: The Elicit authors
License: Apache-2.0
 On Debian systems, the full text of the Apache License 2.0 is in the file
 /usr/share/common-licenses/Apache-2.0.
END
}

# try_deb FILE installs a package in an empty place and runs what it has. Only root may install, so for others the files
# are only unpacked. lintian checks the package if it is installed.
try_deb() {
  local file=$1 root said kind
  root=$(mktemp -d)
  if [ "$(id -u)" = 0 ]; then
    mkdir -p "$root/var/lib/dpkg"/{info,updates}
    touch "$root/var/lib/dpkg/status"
    kind=installed
    dpkg --root="$root" --force-script-chrootless --log=/dev/null -i "$file" >/dev/null
  else
    kind=unpacked
    dpkg-deb -x "$file" "$root"
  fi
  dpkg-deb -I "$file" md5sums | (cd "$root" && md5sum --quiet -c -) || fail "a file of $file was changed"
  [[ $("$root/usr/bin/elicit" version) == "elicit version v$(version)"$'\n'* ]] || fail "$file is of another version"
  zcat "$root/usr/share/man/man1/elicit.1.gz" | cmp - <("$root/usr/bin/elicit" man) ||
    fail "the manual page of $file is not that of its command"
  cmp "$root/usr/share/bash-completion/completions/elicit" <("$root/usr/bin/elicit" completion bash) ||
    fail "the completion of $file is not that of its command"
  echo '[{"answer": {"action": "accept"}}]' >"$root/answers"
  "$root/usr/bin/elicit" ask --message 'Does it run?' --answers "$root/answers" --journal "$root/journal" >/dev/null
  said=$("$root/usr/bin/elicit" log --html "$root/page.html" "$root/journal")
  [[ $said == *"with the engine of"*elicit-browser.wasm* ]] ||
    fail "the command of $file does not find its module: $said"
  if [ $kind = installed ]; then
    dpkg --root="$root" --force-script-chrootless --log=/dev/null -P elicit >/dev/null
    [ ! -e "$root/usr/bin/elicit" ] || fail "$file cannot be removed"
  fi
  rm -rf "$root"
  if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error,warning "$file" >&2 || fail "lintian complains about $file"
    kind+=", checked by lintian"
  fi
  say "$(basename "$file"): $kind, and it runs"
}

# try_library FILES... unpacks the packages of the library, and builds and runs the first example as their user would.
try_library() {
  local root file at=usr/lib/x86_64-linux-gnu
  root=$(mktemp -d)
  for file; do
    dpkg-deb -x "$file" "$root"
    ! command -v lintian >/dev/null ||
      lintian --allow-root --fail-on error,warning "$file" >&2 || fail "lintian complains about $file"
  done
  # shellcheck disable=SC2046 # the flags are words
  cc -std=c99 cabi/example/minimal.c -o "$root/minimal" $(PKG_CONFIG_SYSROOT_DIR=$root \
    PKG_CONFIG_LIBDIR=$root/$at/pkgconfig pkg-config --cflags --libs elicit) || fail "the packages do not compile"
  LD_LIBRARY_PATH=$root/$at "$root/minimal" | grep -q '"problems":' || fail "the library of the packages does not run"
  rm -rf "$root"
  say "libelicit1, libelicit-dev: unpacked, and a program runs"
}
