//! The functions of `elicit.h`. All `unsafe` code of this crate is in this file.
#![allow(unsafe_code)]

use std::any::Any;
use std::ffi::{c_char, c_int, c_void, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::{ptr, slice, str};

use crate::contract::{Consult, Problem};
use crate::{End, Error, Host};

#[repr(C)]
struct Bytes {
    data: *const c_char,
    size: usize,
}

#[repr(C)]
struct Callbacks {
    data: *mut c_void,
    append: extern "C" fn(*mut c_void, *const c_char, usize) -> c_int,
    consult: extern "C" fn(*mut c_void, *const c_char, usize) -> c_int,
    random: Option<extern "C" fn(*mut c_void, *mut [u8; 32]) -> c_int>,
}

extern "C" {
    fn elicit_describe(out: *mut Bytes) -> c_int;
    fn elicit_open(config: *const c_char, size: usize, engine: *mut u64, out: *mut Bytes) -> c_int;
    fn elicit_step(engine: u64, input: *const c_char, size: usize, out: *mut Bytes) -> c_int;
    fn elicit_receive(relay: u64, from: c_int, message: *const c_char, size: usize, out: *mut Bytes) -> c_int;
    fn elicit_next(
        relay: u64,
        host: *const Callbacks,
        at: i64,
        elapsed: i64,
        out: *mut Bytes,
        message: *mut Bytes,
    ) -> c_int;
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

/// The bytes of one message, without a line end. They are memory of the library, and not copied.
pub struct Message {
    _owner: Output,
    data: *const c_char,
    size: usize,
}

// SAFETY: `data` is in the memory of `_owner`.
unsafe impl Send for Message {}
unsafe impl Sync for Message {}

impl std::ops::Deref for Message {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: elicit_next put so many bytes there, in the memory of `_owner`.
        unsafe { bytes(self.data, self.size) }
    }
}

impl std::fmt::Debug for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(self))
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

    pub fn open(config: &str) -> Result<(Self, String), Error> {
        // SAFETY: the pointers are valid for the call, here and in the functions below.
        Self::of(|handle, out| unsafe { elicit_open(config.as_ptr().cast(), config.len(), handle, out) })
    }

    pub fn form(input: &str) -> Result<(Self, String), Error> {
        Self::of(|handle, out| unsafe { elicit_form(input.as_ptr().cast(), input.len(), handle, out) })
    }

    pub fn step(&self, input: &str) -> Result<String, Error> {
        Output::of(|out| unsafe { elicit_step(self.0, input.as_ptr().cast(), input.len(), out) })?.into_text()
    }

    pub fn check(&self, content: &str) -> Result<String, Error> {
        Output::of(|out| unsafe { elicit_check(self.0, content.as_ptr().cast(), content.len(), out) })?.into_text()
    }

    pub fn receive(&self, from: End, message: &[u8]) -> Result<(), Error> {
        let from = if from == End::Client { 1 } else { 2 };
        Output::of(|out| unsafe { elicit_receive(self.0, from, message.as_ptr().cast(), message.len(), out) }).map(drop)
    }

    /// Takes one effect or wait, and the bytes of its message.
    pub fn next(&self, calls: &mut Calls<'_>, at: i64, elapsed: i64) -> Result<(String, Option<Message>), Error> {
        let host = Callbacks {
            random: calls.host.has_random().then_some(random as extern "C" fn(_, _) -> _),
            data: (calls as *mut Calls<'_>).cast(),
            append,
            consult,
        };
        let mut message = Bytes { data: ptr::null(), size: 0 };
        let out = Output::of(|out| unsafe { elicit_next(self.0, &host, at, elapsed, out, &mut message) })?;
        let text = out.text()?.to_owned();
        let message =
            (!message.data.is_null()).then(|| Message { _owner: out, data: message.data, size: message.size });
        Ok((text, message))
    }
}

pub fn eval(op: &str, input: &str) -> Result<String, Error> {
    let op = CString::new(op).map_err(|_| Error::Invalid(Vec::new()))?;
    Output::of(|out| unsafe { elicit_eval(op.as_ptr(), input.as_ptr().cast(), input.len(), out) })?.into_text()
}

pub fn describe() -> Result<String, Error> {
    Output::of(|out| unsafe { elicit_describe(out) })?.into_text()
}

/// Why a callback failed.
#[derive(Debug)]
pub enum Fault {
    Error(Box<dyn std::error::Error + Send + Sync>),
    Panic(Box<dyn Any + Send>),
}

/// The host during a call of elicit_next, and what went wrong in it first.
pub struct Calls<'a> {
    pub host: &'a mut dyn Host,
    pub fault: &'a mut Option<Fault>,
}

impl Calls<'_> {
    /// Makes one callback and returns its result for C. A panic must not pass through C. Its host is not called again.
    fn call(
        &mut self,
        back: impl FnOnce(&mut dyn Host) -> Result<(), Box<dyn std::error::Error + Send + Sync>>,
    ) -> c_int {
        if matches!(self.fault, Some(Fault::Panic(_))) {
            return 1;
        }
        let host = &mut *self.host;
        let fault = match catch_unwind(AssertUnwindSafe(|| back(host))) {
            Ok(Ok(())) => return 0,
            Ok(Err(wrong)) => Fault::Error(wrong),
            Err(panic) => Fault::Panic(panic),
        };
        if self.fault.is_none() || matches!(fault, Fault::Panic(_)) {
            *self.fault = Some(fault);
        }
        1
    }
}

extern "C" fn append(data: *mut c_void, record: *const c_char, size: usize) -> c_int {
    // SAFETY: elicit_next gives the `data` of its callbacks, here and below. Only this call has it now.
    let calls = unsafe { &mut *data.cast::<Calls<'_>>() };
    // SAFETY: elicit_next gives `size` bytes, or null.
    calls.call(|host| match unsafe { record.as_ref().map(|record| bytes(record, size)) } {
        Some(record) => host.append(str::from_utf8(record)?),
        None => host.new_journal(),
    })
}

extern "C" fn consult(data: *mut c_void, effect: *const c_char, size: usize) -> c_int {
    let calls = unsafe { &mut *data.cast::<Calls<'_>>() };
    let mut asked = false;
    let failed = calls.call(|host| {
        let effect: Consult = serde_json::from_slice(unsafe { bytes(effect, size) })?;
        asked = host.consult(effect);
        Ok(())
    });
    c_int::from(failed != 0 || !asked)
}

extern "C" fn random(data: *mut c_void, to: *mut [u8; 32]) -> c_int {
    let calls = unsafe { &mut *data.cast::<Calls<'_>>() };
    let mut filled = [0; 32];
    let failed = calls.call(|host| host.random(&mut filled));
    unsafe { *to = filled };
    failed
}
