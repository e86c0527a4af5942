//! Connections and their loop.

use std::any::Any;
use std::ffi::{c_char, c_int, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::{ptr, str};

use super::{bytes, Bytes, Handle, Output};
use crate::contract::Consult;
use crate::{End, Error, Host};

#[repr(C)]
struct Callbacks {
    data: *mut c_void,
    append: extern "C" fn(*mut c_void, *const c_char, usize) -> c_int,
    consult: extern "C" fn(*mut c_void, *const c_char, usize) -> c_int,
    random: Option<extern "C" fn(*mut c_void, *mut [u8; 32]) -> c_int>,
}

extern "C" {
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

impl Handle {
    pub fn open(config: &str) -> Result<(Self, String), Error> {
        // SAFETY: the pointers are valid for the call, here and in the functions below.
        Self::of(|handle, out| unsafe { elicit_open(config.as_ptr().cast(), config.len(), handle, out) })
    }

    pub fn step(&self, input: &str) -> Result<String, Error> {
        Output::of(|out| unsafe { elicit_step(self.0, input.as_ptr().cast(), input.len(), out) })?.into_text()
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
