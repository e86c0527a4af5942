//! How much has been looked up. A hostile text makes every letter begin many phrases; reading stops before the fuel
//! does.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

static DONE: AtomicU32 = AtomicU32::new(0);

/// The most that is looked up in one question.
const MOST: u32 = 1_800;

pub fn add(n: u32) {
    DONE.store(DONE.load(Relaxed).saturating_add(n), Relaxed);
}

/// Begins another question, where one process reads many.
pub fn restart() {
    DONE.store(0, Relaxed);
}

/// Whether no more is to be read.
pub fn over() -> bool {
    DONE.load(Relaxed) > MOST
}
