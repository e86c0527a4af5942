//! The functions of `elicit.h`. All `unsafe` code of this crate is in this module.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, CString};
use std::{ptr, slice, str};

use crate::contract::Problem;
use crate::Error;

#[cfg(feature = "full")]
pub mod next;

#[repr(C)]
struct Bytes {
    data: *const c_char,
    size: usize,
}

extern "C" {
    fn elicit_describe(out: *mut Bytes) -> c_int;
    fn elicit_eval(op: *const c_char, input: *const c_char, size: usize, out: *mut Bytes) -> c_int;
    fn elicit_form(input: *const c_char, size: usize, form: *mut u64, out: *mut Bytes) -> c_int;
    fn elicit_check(form: u64, content: *const c_char, size: usize, out: *mut Bytes) -> c_int;
    fn elicit_close(handle: u64) -> c_int;
    fn elicit_release(out: *mut Bytes);
}

/// Memory of the library, freed when it is dropped.
struct Output(Bytes);

// SAFETY: nobody else has the memory, no one writes to it, and any thread may release it.
unsafe impl Send for Output {}
unsafe impl Sync for Output {}

impl Drop for Output {
    fn drop(&mut self) {
        // SAFETY: the library filled it or it is zeroed, and it is released once.
        unsafe { elicit_release(&mut self.0) }
    }
}

/// # Safety
/// `data` is null, or has `size` bytes that stay as they are for `'a`.
unsafe fn bytes<'a>(data: *const c_char, size: usize) -> &'a [u8] {
    if data.is_null() {
        return &[];
    }
    slice::from_raw_parts(data.cast(), size)
}

impl Output {
    fn text(&self) -> Result<&str, Error> {
        // SAFETY: the library wrote so many bytes there.
        let text = unsafe { bytes(self.0.data, self.0.size) };
        str::from_utf8(text).map_err(|wrong| Error::Json(serde::de::Error::custom(wrong)))
    }

    /// Makes a call that writes an output, and reads its status.
    fn of(call: impl FnOnce(*mut Bytes) -> c_int) -> Result<Self, Error> {
        let mut out = Self(Bytes { data: ptr::null(), size: 0 });
        match call(&mut out.0) {
            0 => Ok(out),
            1 => Err(Error::Invalid(out.problems())),
            3 => Err(Error::TooLarge(out.problems())),
            5 => Err(Error::Broken),
            7 => Err(Error::NoMemory),
            other => Err(Error::Status(other)),
        }
    }

    fn problems(&self) -> Vec<Problem> {
        #[derive(serde::Deserialize)]
        struct Refusal {
            problems: Vec<Problem>,
        }
        self.text().ok().and_then(|text| serde_json::from_str(text).ok()).map_or_else(Vec::new, |r: Refusal| r.problems)
    }

    fn into_text(self) -> Result<String, Error> {
        self.text().map(str::to_owned)
    }
}

/// An engine, a connection or a form, closed when it is dropped.
#[derive(Debug)]
pub struct Handle(u64);

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: any number may be closed. No other thread has this one.
        unsafe { elicit_close(self.0) };
    }
}

impl Handle {
    fn of(call: impl FnOnce(*mut u64, *mut Bytes) -> c_int) -> Result<(Self, String), Error> {
        let mut handle = Self(0);
        let out = Output::of(|out| call(&mut handle.0, out))?;
        Ok((handle, out.into_text()?))
    }

    // SAFETY: the pointers are valid for the call, here and in the functions below.
    pub fn form(input: &str) -> Result<(Self, String), Error> {
        Self::of(|handle, out| unsafe { elicit_form(input.as_ptr().cast(), input.len(), handle, out) })
    }

    pub fn check(&self, content: &str) -> Result<String, Error> {
        Output::of(|out| unsafe { elicit_check(self.0, content.as_ptr().cast(), content.len(), out) })?.into_text()
    }
}

/// Runs a stateless operation by its name, such as `check`, `coerce`, `inspect` or `explain`. Problems of its input are
/// in the output. [`describe`] lists the operations.
pub fn eval(op: &str, input: &str) -> Result<String, Error> {
    let op = CString::new(op).map_err(|_| Error::Invalid(Vec::new()))?;
    Output::of(|out| unsafe { elicit_eval(op.as_ptr(), input.as_ptr().cast(), input.len(), out) })?.into_text()
}

/// The names and limits that the library knows, as JSON.
pub fn describe() -> Result<String, Error> {
    Output::of(|out| unsafe { elicit_describe(out) })?.into_text()
}
