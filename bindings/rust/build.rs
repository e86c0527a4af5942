//! Compiles the engine, which is C, or links one that is compiled.
//!
//! `ELICIT_C_LIB` names a directory with `libelicit.a`, `libelicit.so` or `elicit.lib`. Without it, the C files in
//! `ELICIT_C_DIR` are compiled, or those in `c/full`, or without the feature `full` those in `c/core`.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-env-changed=ELICIT_C_LIB");
    println!("cargo:rerun-if-env-changed=ELICIT_C_DIR");
    println!("cargo:rerun-if-env-changed=DOCS_RS");
    if env::var_os("DOCS_RS").is_some() {
        return; // pages need no library
    }
    if let Some(dir) = env::var_os("ELICIT_C_LIB") {
        let dir = Path::new(&dir);
        let fixed = ["libelicit.a", "elicit.lib"].iter().any(|name| dir.join(name).exists());
        println!("cargo:rustc-link-search=native={}", dir.display());
        println!("cargo:rerun-if-changed={}", dir.display()); // a new library is linked again
        println!("cargo:rustc-link-lib={}=elicit", if fixed { "static" } else { "dylib" });
        if !fixed && cfg!(unix) {
            println!("cargo:rustc-link-arg=-Wl,-rpath,{}", dir.display());
        }
    } else {
        let carried = if env::var_os("CARGO_FEATURE_FULL").is_some() { "c/full" } else { "c/core" };
        compile(&env::var_os("ELICIT_C_DIR").map_or_else(|| PathBuf::from(carried), PathBuf::from));
    }
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "unix") {
        println!("cargo:rustc-link-lib=m");
        println!("cargo:rustc-link-lib=pthread");
    }
}

/// Compiles the files. Debug builds leave them as they are, which takes a third of the time. Tables for debuggers
/// would be larger than the code.
fn compile(dir: &Path) {
    let listed = fs::read_dir(dir).unwrap_or_else(|wrong| {
        panic!("{}: {wrong}. In a checkout, ./build.sh crate makes dist/crate/bindings/rust/c/full", dir.display())
    });
    let mut files: Vec<_> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "c"));
    files.sort();
    println!("cargo:rerun-if-changed={}", dir.display());
    cc::Build::new()
        .files(files)
        .std("c11")
        .define("ELICIT_STATIC", None)
        .opt_level_str(if env::var("OPT_LEVEL").is_ok_and(|level| level != "0") { "2" } else { "0" })
        .debug(false)
        .warnings(false)
        .compile("elicit");
}
