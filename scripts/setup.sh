# shellcheck shell=bash
# What the other parts need: messages, and programs and packages that may be missing.

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

fail() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }

need_go() {
  command -v go >/dev/null || fail "Go is missing. Install Go 1.26 or newer and run me again."
}

# compile_once gives what follows the flags of the command's build, so that no library is compiled twice.
compile_once() { export CGO_ENABLED=0 GOFLAGS="${GOFLAGS:-} -trimpath"; }

need_npm() {
  command -v npm >/dev/null || fail "npm is missing. Install Node 20 or newer and run me again."
}

# need PROGRAM=PACKAGE... makes sure that programs are there. lib:NAME=PACKAGE is a C library by its pkg-config name,
# file:PATH=PACKAGE a file, and python:MODULE=PACKAGE a module. clang:FLAG=PACKAGE is needed by clang for a sanitizer.
# All packages that are missing are installed at once, from the system's package manager.
need() {
  local one name package missing=()
  for one; do
    name=${one%=*} package=${one##*=}
    case $name in
      lib:*) pkg-config --exists "${name#lib:}" 2>/dev/null || missing+=("$package") ;;
      file:*) [ -e "${name#file:}" ] || missing+=("$package") ;;
      python:*) python3 -c "import ${name#python:}" 2>/dev/null || missing+=("$package") ;;
      clang:*) clang_builds "${name#clang:}" || missing+=("$package") ;;
      *) command -v "$name" >/dev/null || missing+=("$package") ;;
    esac
  done
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
}

# clang_builds FLAG tells whether clang has the header and the library of a sanitizer, which may be other packages.
clang_builds() {
  printf '#include <sanitizer/asan_interface.h>\nint LLVMFuzzerTestOneInput() { return 0; }' |
    clang "$1" -x c - -o /dev/null 2>/dev/null
}

# install_packages PACKAGE... installs packages of the system after a yes. It waits for another run of build.sh that
# does the same, because apt-get would give up.
install_packages() {
  command -v apt-get >/dev/null || fail "these are missing: $*. Install them and run me again."
  say "These packages of the system are missing: $*"
  consent "Install them with apt-get?"
  local as_root=; [ "$(id -u)" = 0 ] || as_root=sudo
  say "installing $*"
  mkdir -p dist
  # -o: a server that a package starts would keep the lock.
  flock -o dist/installing sh -c "$as_root apt-get update -qq && $as_root apt-get install -y -qq $* >/dev/null"
}

# consent QUESTION asks the person. CI and --yes are a yes. Without a terminal there is nobody to ask, and then nothing
# is changed outside this directory.
consent() {
  [ -z "${CI:-}" ] && [ -z "${ELICIT_YES:-}" ] || return 0
  [ -t 0 ] || fail "there is no terminal to ask on, so nothing is installed; --yes or CI=1 allows it"
  local answer
  read -r -p "$1 [y/N] " answer
  case $answer in
    y | Y | yes) export ELICIT_YES=1 ;; # also for the scripts that this one calls
    *) fail "nothing was installed" ;;
  esac
}

# js_packages installs what package-lock.json says, unless that is what is there; with "npm ci" unless told.
js_packages() {
  local want stamp=node_modules/.installed-from
  want=$(cksum <package-lock.json)
  [ "$(cat "$stamp" 2>/dev/null || true)" = "$want" ] && return
  say "installing node packages"
  npm "${@:-ci}" --ignore-scripts --no-fund --no-audit --no-update-notifier --loglevel=error >&2
  printf '%s\n' "$want" >"$stamp"
}

# venv DIRECTORY REQUIREMENTS [PIP-OPTION...] installs the Python packages of a list there, unless they are there.
venv() {
  local dir=$1 list=$2 want
  shift 2
  want=$(cksum <"$list")
  [ "$(cat "$dir/.installed-from" 2>/dev/null || true)" = "$want" ] && return
  say "installing the Python packages of $list"
  rm -rf "$dir"
  python3 -m venv "$dir" || fail "Python 3.10 or newer with venv is missing. Install it and run me again."
  "$dir/bin/python" -m pip install -q --disable-pip-version-check "$@" -r "$list"
  printf '%s\n' "$want" >"$dir/.installed-from"
}
