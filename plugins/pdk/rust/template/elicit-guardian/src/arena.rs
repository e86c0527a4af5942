//! Memory that is never given back: an instance lives for one evaluation. The last piece grows where it stands, so that
//! a growing list is not copied.
#![cfg(target_arch = "wasm32")]

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;

struct Arena {
    next: Cell<usize>,
    end: Cell<usize>,
}

// A guest has one thread.
unsafe impl Sync for Arena {}

#[global_allocator]
static ARENA: Arena = Arena { next: Cell::new(0), end: Cell::new(0) };

const PAGE: usize = 1 << 16;

extern "C" {
    static __heap_base: u8;
}

impl Arena {
    /// Makes room up to an address.
    fn reach(&self, to: usize) -> bool {
        if to > self.end.get() {
            let pages = (to - self.end.get() + PAGE - 1) / PAGE;
            if core::arch::wasm32::memory_grow(0, pages) == usize::MAX {
                return false;
            }
            self.end.set(self.end.get() + pages * PAGE);
        }
        self.next.set(to);
        true
    }
}

unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if self.next.get() == 0 {
            self.next.set(&__heap_base as *const u8 as usize);
            self.end.set(core::arch::wasm32::memory_size(0) * PAGE);
        }
        let at = (self.next.get() + layout.align() - 1) & !(layout.align() - 1);
        match at.checked_add(layout.size()) {
            Some(to) if self.reach(to) => at as *mut u8,
            _ => std::ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if ptr as usize + layout.size() == self.next.get() {
            return match (ptr as usize).checked_add(size) {
                Some(to) if self.reach(to) => ptr,
                _ => std::ptr::null_mut(),
            };
        }
        let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
        if !new.is_null() {
            std::ptr::copy_nonoverlapping(ptr, new, layout.size().min(size));
        }
        new
    }
}
