//! Writes modules that wasm-smith makes of seeds: `smith FROM COUNT`, each after its length, four bytes
//! in little-endian order.
//! They use what a guest may use, end by themselves, and compute canonical NaNs, as the meter makes them.
use arbitrary::Unstructured;
use std::io::Write;
use wasm_smith::{Config, Module};

/// SplitMix64, so that a seed gives the same module everywhere.
fn bytes(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x2545_f491_4f6c_dd1d);
    let mut out = Vec::with_capacity(length + 8);
    while out.len() < length {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        out.extend_from_slice(&(z ^ (z >> 31)).to_le_bytes());
    }
    out
}

fn config() -> Config {
    let mut c = Config::default();
    c.max_imports = 0;
    c.min_funcs = 4;
    c.max_funcs = 20;
    c.max_memories = 1;
    c.max_memory32_bytes = 32 << 16;
    c.max_tables = 4;
    c.max_table_elements = 4096;
    // Unmetered, wazero asks for whatever a table or memory may grow to.
    c.table_max_size_required = true;
    c.memory_max_size_required = true;
    c.max_type_size = 200;
    c.export_everything = true;
    c.canonicalize_nans = true;
    c.bulk_memory_enabled = true;
    c.reference_types_enabled = true;
    c.multi_value_enabled = true;
    c.saturating_float_to_int_enabled = true;
    c.sign_extension_ops_enabled = true;
    c.simd_enabled = false;
    c.relaxed_simd_enabled = false;
    c.threads_enabled = false;
    c.exceptions_enabled = false;
    c.tail_call_enabled = false;
    c.memory64_enabled = false;
    c.gc_enabled = false;
    c.extended_const_enabled = false;
    c.custom_page_sizes_enabled = false;
    c.wide_arithmetic_enabled = false;
    c
}

fn main() {
    let words: Vec<u64> = std::env::args().skip(1).map(|a| a.parse().expect("a number")).collect();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for seed in words[0]..words[0] + words[1] {
        let raw = bytes(seed, 2048 + (seed as usize % 8) * 2048);
        let Ok(mut module) = Module::new(config(), &mut Unstructured::new(&raw)) else { continue };
        if module.ensure_termination(10_000).is_err() {
            continue;
        }
        let wasm = module.to_bytes();
        out.write_all(&(wasm.len() as u32).to_le_bytes()).unwrap();
        out.write_all(&wasm).unwrap();
    }
}
