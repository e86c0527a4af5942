//! Runs scripts of `elicit hostkit` through the loop. `internal/hostscript/host.go` says what it reads and writes.
use std::error::Error;
use std::io::{stdin, stdout, BufRead, Read, Write};

use elicit_engine::contract::Consult;
use elicit_engine::{Connection, End, Host, HostResult, Next};

#[derive(Default)]
struct Scripted {
    alone: bool,
    keeps: i64,
    items: Vec<u8>,
}

impl Scripted {
    fn item(&mut self, head: &str, data: &[u8]) {
        self.items.extend(format!("{}\n{head}", head.len() + data.len()).as_bytes());
        self.items.extend([data, b"\n"].concat());
    }

    fn keep(&mut self, head: &str, record: &str) -> HostResult {
        if self.keeps == 0 {
            return Err("no space left on device".into());
        }
        self.keeps -= 1;
        self.item(head, record.as_bytes());
        Ok(())
    }
}

impl Host for Scripted {
    fn append(&mut self, record: &str) -> HostResult {
        self.keep("append ", record)
    }

    fn new_journal(&mut self) -> HostResult {
        self.keep("new_journal", "")
    }

    fn consult(&mut self, effect: Consult) -> bool {
        if self.alone {
            return false;
        }
        let mut effect = serde_json::to_value(&effect).unwrap();
        effect["effect"] = "consult".into();
        self.item("", effect.to_string().as_bytes());
        true
    }

    fn has_random(&self) -> bool {
        true
    }

    fn random(&mut self, _: &mut [u8; 32]) -> HostResult {
        Ok(()) // they are zeros already
    }
}

fn turn(connection: &mut Connection, host: &mut Scripted, at: i64, elapsed: i64) -> Result<i64, Box<dyn Error>> {
    loop {
        match connection.next_at(host, at, elapsed) {
            Ok(Next::Write { to, message }) => {
                host.item(if to == End::Client { "client " } else { "server " }, &message)
            }
            Ok(Next::Effect { text, .. }) => host.item("", text.as_bytes()),
            Ok(Next::Wait(time)) => return Ok(time.map_or(-1, |time| time.as_millis() as i64)),
            Err(elicit_engine::Error::Host(_)) => {} // the effects that follow from it have been given
            Err(wrong) => return Err(wrong.into()),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut given, mut connection, mut host) = (stdin().lock(), None, Scripted::default());
    let mut line = String::new();
    while given.read_line(&mut line)? > 0 {
        let (kind, numbers) = line.trim().split_once(' ').ok_or("a line without numbers")?;
        let numbers = numbers.split(' ').map(str::parse).collect::<Result<Vec<i64>, _>>()?;
        let [ref keeps @ .., at, elapsed, size] = numbers[..] else { return Err("numbers are missing".into()) };
        let mut input = vec![0; size as usize];
        given.read_exact(&mut input)?;
        if kind == "open" || kind == "alone" {
            host.keeps = keeps[0];
            host.alone = kind == "alone";
            connection = Some(Connection::open_text(std::str::from_utf8(&input)?)?);
        }
        let open = connection.as_mut().ok_or("nothing is open")?;
        match kind {
            "client" => open.receive(End::Client, &input)?,
            "server" => open.receive(End::Server, &input)?,
            "event" => open.step_text(std::str::from_utf8(&input)?)?,
            _ => {}
        }
        if kind == "close" {
            connection = None;
        } else {
            let wait = turn(open, &mut host, at, elapsed)?;
            let mut out = stdout().lock();
            out.write_all(&std::mem::take(&mut host.items))?;
            writeln!(out, "wait {wait}")?;
            out.flush()?;
        }
        line.clear();
    }
    Ok(())
}
