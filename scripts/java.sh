# shellcheck shell=bash
# Builds the jar: the classes of bindings/java, and Elicit in C with the functions that Java calls.

# in_c leaves Elicit in C in dist/in-c for tests: libelicit.a and libelicit.so.1. By day tcc compiles what is generated.
# It takes 5 seconds where gcc takes 200. Its code is slower, marks no stack, and converts by a function of its own.
in_c() {
  local dir=dist/in-c file
  rm -rf $dir
  amalgamation $dir
  if [ -z "${ELICIT_NIGHTLY:-}" ] && [ "$(uname -sm)" = "Linux x86_64" ]; then
    need tcc=tcc objcopy=binutils
    for file in $dir/code_*.c; do
      tcc -std=c11 -fPIC -w -c -o "${file%.c}.o" "$file"
      objcopy --add-section .note.GNU-stack=/dev/null "${file%.c}.o"
    done
    echo 'double __floatundidf(unsigned long long n) { return n; }' >$dir/tcc.c
  fi
  c_library $dir CC=gcc CFLAGS=-Og
  rm -f $dir/tcc.c
}

# jni ARCH NATIVE CC ENGINE... leaves the library that Java loads, made of an archive or of object files, in NATIVE.
jni() {
  local to home
  to=$2/linux-$(machine "$1")
  home=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
  mkdir -p "$to"
  "$3" -std=c11 -fPIC -O2 -g0 -Icabi "-I$home/include" "-I$home/include/linux" -shared -s \
    -o "$to/libelicit_jni.so" bindings/java/src/main/c/elicit_jni.c "${@:4}" \
    "-Wl,--version-script=$PWD/bindings/java/src/main/c/elicit_jni.map" -Wl,-z,relro,-z,now -lm -lpthread
  sha256sum <"$to/libelicit_jni.so" | cut -d' ' -f1 >"$to/libelicit_jni.so.sha256"
}

# jar_of DIR NATIVE makes the jar there, from the classes and the directories of NATIVE.
jar_of() {
  local version stage time file
  version=$(version)
  file=$(realpath -m "$1")/elicit-engine-$version.jar
  say "building $file"
  stage=$(mktemp -d)
  time=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" +%FT%TZ)
  mkdir -p "$1" "$stage/classes/META-INF/maven/dev.elicit/elicit-engine"
  javac -J-XX:TieredStopAtLevel=1 --release 17 -d "$stage/classes" bindings/java/src/main/java/dev/elicit/*.java
  cp -r "$2" "$stage/classes/META-INF/native"
  cp LICENSE NOTICE "$stage/classes/META-INF/"
  sed "s/@VERSION@/$version/" bindings/java/pom.xml.in >"$stage/classes/META-INF/maven/dev.elicit/elicit-engine/pom.xml"
  printf 'Automatic-Module-Name: dev.elicit\nImplementation-Version: %s\n' "$version" >"$stage/manifest"
  (cd "$stage/classes" && find . -type f | LC_ALL=C sort >"$stage/files" &&
    command jar --create --file "$file" --date="$time" --manifest "$stage/manifest" "@$stage/files")
  rm -r "$stage"
}

# jar leaves the jar in dist, with Elicit in C for this machine. Optimised, the C takes minutes to compile.
jar() {
  local arch work
  need javac=default-jdk-headless
  arch=$(go env GOARCH) work=$(mktemp -d)
  amalgamation "$work/c" -O2
  jni "$arch" "$work/native" cc "$work"/c/*.o
  jar_of dist "$work/native"
  rm -r "$work"
}

# jar_for DIR SOURCES ARCH... makes the jar in DIR with libraries for glibc 2.17 of these, from C in SOURCES.
jar_for() {
  local to=$1 sources=$2 work arch cc
  shift 2
  need javac=default-jdk-headless
  work=$(mktemp -d)
  for arch; do
    cc=$(zig_cc "$arch")
    cp -r "$sources" "$work/$arch"
    c_library "$work/$arch" "CC=$cc" "CFLAGS=-O2 -fno-sanitize=all"
    jni "$arch" "$work/native" "$cc" "$work/$arch"/*.o
  done
  jar_of "$to" "$work/native"
  rm -r "$work"
}

# try_jar FILE holds the conversation of the example with the jar alone, in an empty directory.
try_jar() {
  local file root said
  file=$(realpath "$1") root=$(mktemp -d)
  cp bindings/java/src/example/Console.java cabi/testdata/asking.sh "$root/"
  said=$(cd "$root" && printf '99\n7\ny\n' |
    timeout 300 env -i PATH="$PATH" java -XX:TieredStopAtLevel=1 -Xcheck:jni -cp "$file" Console.java sh asking.sh) ||
    fail "the example does not run with $file: $said"
  [[ $said == *"at most 30"*"kept for 7 days"* ]] || fail "the example with $file said: $said"
  [ "$(ls "$root")" = "$(printf 'Console.java\nasking.sh')" ] || fail "$file leaves files: $(ls "$root")"
  rm -r "$root"
  say "$(basename "$file"): the example runs with it alone"
}
