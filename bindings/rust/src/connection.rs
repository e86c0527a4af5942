use std::cell::Cell;
use std::io::{BufRead, BufReader, Read};
use std::marker::PhantomData;
use std::panic::resume_unwind;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use crate::contract::{self, Action, Answered, Consult, RelayEffect, RelayEvent, Show};
pub use crate::ffi::next::Message;
use crate::ffi::next::{Calls, Fault};
use crate::ffi::Handle;
use crate::Error;

/// What a callback of a host returns. Its error comes out of [`Connection::next`].
pub type HostResult = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// An end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The MCP client.
    Client,
    /// The MCP server.
    Server,
}

/// The callbacks of [`Connection::next`]. `()` is a host that keeps no journal.
///
/// After an error or a panic of a callback the engine answers every open question with an error, and decides nothing
/// more. [`Connection::next`] gives those answers first, and then the error or the panic in place of the wait.
pub trait Host {
    /// Keeps one record, a line without its end, and returns when it is durable.
    fn append(&mut self, record: &str) -> HostResult;

    /// Begins another journal, because the engine failed and was replaced.
    fn new_journal(&mut self) -> HostResult {
        Err("this host keeps no second journal".into())
    }

    /// Asks a guardian, and returns whether it is being asked. It must not wait for the answer: that goes to
    /// [`Connection::step`] later, as a `consulted`. Without an asker the guardian fails at once.
    fn consult(&mut self, _effect: Consult) -> bool {
        false
    }

    /// Whether [`Host::random`] is called. The library otherwise takes random bytes of the system.
    fn has_random(&self) -> bool {
        false
    }

    /// Fills random bytes, where tests or a replay need their own.
    fn random(&mut self, _bytes: &mut [u8; 32]) -> HostResult {
        Err("this host has no random bytes".into())
    }
}

impl Host for () {
    fn append(&mut self, _record: &str) -> HostResult {
        Ok(())
    }

    fn new_journal(&mut self) -> HostResult {
        Ok(())
    }
}

/// What a host does next.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
pub enum Next {
    /// Write this message to that end.
    Write {
        /// The end.
        to: End,
        /// The bytes, without a line end.
        message: Message,
    },
    /// Perform an effect. Ignore those that you do not know.
    Effect {
        /// The effect. It is never an `append`, a `new_journal`, a `consult`, a `forward` or a `send`.
        effect: RelayEffect,
        /// Its text, with the members of later versions.
        text: String,
    },
    /// Nothing is due. Call again when so much time has passed, `None` being never, or after an input. Do not wait
    /// first if you have given an input since, such as the answer of a guardian.
    Wait(Option<Duration>),
}

/// A connection between an MCP client and an MCP server. It reads every message of both ends and decides the questions.
/// A thread may give it to another one, and two threads cannot share it.
///
/// Dropping it answers nobody. First give it [`Connection::end`], and perform what follows.
///
/// ```
/// use elicit_engine::{Connection, End, Next};
/// # fn main() -> Result<(), elicit_engine::Error> {
/// let relay = serde_json::json!({"server": "backup", "role": "client", "modes": ["form"]});
/// let mut connection = Connection::open(&relay)?;
/// connection.receive(End::Client, br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
/// loop {
///     match connection.next(&mut ())? {
///         Next::Write { to, message } => println!("to {to:?}: {message:?}"),
///         Next::Effect { effect, .. } => println!("{effect:?}"),
///         Next::Wait(time) => break println!("nothing is due within {time:?}"),
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Connection {
    handle: Handle,
    fault: Option<Fault>,
    not_sync: PhantomData<Cell<()>>,
}

impl Connection {
    /// The most bytes of one message. A longer one is not passed on, and its end gets an error.
    pub const MAX_MESSAGE: usize = 64 << 20;

    /// Opens a connection with the members of `relay`, which docs/reference/relay.md lists.
    pub fn open(relay: &impl Serialize) -> Result<Self, Error> {
        Self::open_text(&serde_json::to_string(&json!({"relay": relay, "pull": true}))?)
    }

    /// Opens a connection with the text for `elicit_open`. It has `"pull":true`.
    pub fn open_text(opening: &str) -> Result<Self, Error> {
        let (handle, _) = Handle::open(opening)?;
        Ok(Self { handle, fault: None, not_sync: PhantomData })
    }

    /// Takes one message of an end, without its line end. Of a message over [`Connection::MAX_MESSAGE`], the beginning
    /// is enough.
    pub fn receive(&mut self, from: End, message: &[u8]) -> Result<(), Error> {
        if message.len() <= Self::MAX_MESSAGE {
            return self.handle.receive(from, message);
        }
        let from = if from == End::Client { "client" } else { "server" };
        let begins = String::from_utf8_lossy(&message[..1 << 20]);
        let event = json!({"event": {"event": "received", "from": from, "cut": true}, "message": begins});
        self.step_text(&event.to_string())
    }

    /// Takes an event.
    pub fn step(&mut self, event: &RelayEvent) -> Result<(), Error> {
        self.step_text(&serde_json::to_string(event)?)
    }

    /// Takes an event as text.
    pub fn step_text(&mut self, event: &str) -> Result<(), Error> {
        self.handle.step(event).map(drop)
    }

    /// Settles the open questions, because the host is about to stop.
    pub fn end(&mut self) -> Result<(), Error> {
        self.step(&RelayEvent::Ended(contract::Ended { end: "host".to_owned() }))
    }

    /// Gives what the host does next. It may take inputs between two calls.
    ///
    /// An effect that this version cannot read comes out once, as [`Error::Unreadable`], and the connection goes on. If
    /// it shows a question, the question is answered first: cancelled, because no user interface could show it.
    pub fn next(&mut self, host: &mut dyn Host) -> Result<Next, Error> {
        self.next_at(host, -1, -1)
    }

    /// The same with the clocks of the host: the milliseconds since 1970-01-01 UTC, and those of a clock that never
    /// goes back and counts suspended time.
    pub fn next_at(&mut self, host: &mut dyn Host, at: i64, elapsed: i64) -> Result<Next, Error> {
        #[derive(serde::Deserialize)]
        struct Head {
            wait: Option<i64>,
            to: Option<contract::End>,
        }
        let (text, message) = self.handle.next(&mut Calls { host, fault: &mut self.fault }, at, elapsed)?;
        if message.is_none() && !text.starts_with(r#"{"wait":"#) {
            return self.effect(text);
        }
        let head: Head = serde_json::from_str(&text)?;
        let to = match head.to {
            Some(contract::End::Client) => End::Client,
            Some(contract::End::Server) => End::Server,
            _ => return self.rest(head.wait),
        };
        message.map_or_else(|| self.rest(head.wait), |message| Ok(Next::Write { to, message }))
    }

    fn effect(&mut self, text: String) -> Result<Next, Error> {
        #[derive(serde::Deserialize)]
        struct Lost {
            effect: String,
            session: String,
            id: String,
            by_client: Option<bool>,
        }
        let wrong = match RelayEffect::read(&text) {
            Ok(effect) => return Ok(Next::Effect { effect, text }),
            Err(wrong) => wrong,
        };
        match serde_json::from_str(&text) {
            Ok(Lost { effect, session, id, by_client }) if effect == "show" && by_client != Some(true) => {
                let cancel =
                    json!({"event": "answered", "session": session, "id": id, "action": "cancel", "via": "no_ui"});
                self.step_text(&cancel.to_string())?;
            }
            _ => {}
        }
        Err(Error::Unreadable { text, wrong })
    }

    /// Waits, or gives what went wrong in a callback since the last wait.
    fn rest(&mut self, wait: Option<i64>) -> Result<Next, Error> {
        match self.fault.take() {
            Some(Fault::Panic(panic)) => resume_unwind(panic),
            Some(Fault::Error(wrong)) => Err(Error::Host(wrong)),
            None => Ok(Next::Wait(wait.and_then(|wait| u64::try_from(wait).ok()).map(Duration::from_millis))),
        }
    }
}

impl Show {
    /// The answer to this question, for [`Connection::step`]. An accept of a form has the text of its `content`, which
    /// the operation `coerce` reads from what a person typed.
    pub fn answer(&self, action: Action, content: Option<String>) -> RelayEvent {
        RelayEvent::Answered(Answered {
            session: self.session.clone(),
            id: self.id.clone(),
            action,
            content_text: content,
            principal: None,
            cleared: None,
            via: None,
            remember: None,
            mute: None,
            note: None,
            content: None,
            arguments: None,
            arguments_text: None,
        })
    }
}

/// Reads lines on a thread of its own, for [`Connection::receive`]. `make` gets each line without its end, `None` at
/// the end of the input, and makes what is sent. Of a line over [`Connection::MAX_MESSAGE`] it gets the beginning.
pub fn read_lines<T: Send + 'static>(
    input: impl Read + Send + 'static,
    to: Sender<T>,
    make: impl Fn(Option<Vec<u8>>) -> T + Send + 'static,
) {
    thread::spawn(move || {
        let (mut input, most) = (BufReader::new(input), Connection::MAX_MESSAGE as u64 + 1);
        loop {
            let mut line = Vec::new();
            if !matches!(input.by_ref().take(most).read_until(b'\n', &mut line), Ok(1..)) {
                return drop(to.send(make(None)));
            }
            if line.last() == Some(&b'\n') {
                line.pop();
            } else if line.len() as u64 == most && input.skip_until(b'\n').is_err() {
                return drop(to.send(make(None)));
            }
            if to.send(make(Some(line))).is_err() {
                return;
            }
        }
    });
}

#[cfg(test)]
#[path = "test/unreadable.rs"]
mod tests;
