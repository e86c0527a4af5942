//! The data document that the operator permits, such as a list of hosts: up to 4 MiB, the same bytes at every
//! question. A guardian that reads it says in its manifest what it holds, as "data"; without such a document it does
//! not run.
//!
//! The document stays with the host. A read copies the bytes that it asks for, and costs 257 fuel and one for each 8 of
//! them. So keep what you look for sorted, and read where it must be.

/// The bytes of the document.
pub fn size() -> usize {
    (unsafe { host::data_size() }).max(0) as usize
}

/// Fills `into` with the bytes from `offset` on, and returns how many there were: fewer at the end of the document,
/// and 0 behind it.
pub fn read(offset: usize, into: &mut [u8]) -> usize {
    (unsafe { host::data_read(offset, into.as_mut_ptr(), into.len()) }).max(0) as usize
}

#[cfg(target_arch = "wasm32")]
mod host {
    #[link(wasm_import_module = "elicit_guardian_v1")]
    extern "C" {
        pub fn data_size() -> i32;
        pub fn data_read(offset: usize, to: *mut u8, len: usize) -> i32;
    }
}

/// Tests on the author's machine have no host, and an empty document.
#[cfg(not(target_arch = "wasm32"))]
mod host {
    pub unsafe fn data_size() -> i32 {
        0
    }
    pub unsafe fn data_read(_: usize, _: *mut u8, _: usize) -> i32 {
        0
    }
}
