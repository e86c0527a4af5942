//! An MCP client: `client TOOL SERVER ARGUMENTS...` calls a tool, and you answer the server's questions here.
use elicit_engine::{read_lines, Connection, Console, End, Next};
use serde_json::{from_slice, json, Value};
use std::process::{Command, Stdio};
use std::sync::mpsc::{channel, RecvTimeoutError::Timeout};
use std::{env::args, io::Write, time::Duration};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = args().skip(1).collect();
    let mut server = Command::new(&words[1]).args(&words[2..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (to_us, inputs) = channel();
    read_lines(server.stdout.take().unwrap(), to_us.clone(), |line| (End::Server, line));
    read_lines(std::io::stdin(), to_us, |line| (End::Client, line));
    let mut console = Console::new(std::io::stderr());
    let mut connection = Connection::open(&json!({"server": words[1], "role": "client", "modes": ["form", "url"]}))?;
    let hello =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello});
    connection.receive(End::Client, hello.to_string().as_bytes())?;
    loop {
        match connection.next(&mut ())? {
            Next::Write { to: End::Server, message } => {
                server.stdin.as_mut().unwrap().write_all(&[&message, &b"\n"[..]].concat())?
            }
            Next::Write { to: End::Client, message } => match from_slice::<Value>(&message)? {
                reply if reply["id"] == 1 => {
                    let call = json!({"name": words[0], "arguments": {}});
                    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call});
                    connection.receive(End::Client, br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
                    connection.receive(End::Client, call.to_string().as_bytes())?;
                }
                reply if reply["id"] == 2 => return Ok(println!("{}", reply["result"])),
                _ => {}
            },
            Next::Effect { effect, .. } => console.perform(&effect)?.map_or(Ok(()), |no| connection.step(&no))?,
            Next::Wait(time) => match inputs.recv_timeout(time.unwrap_or(Duration::MAX)) {
                Ok((End::Server, Some(line))) => connection.receive(End::Server, &line)?,
                Ok((End::Client, line)) => {
                    console.typed(line.as_deref())?.map_or(Ok(()), |yes| connection.step(&yes))?
                }
                Err(Timeout) => {}
                _ => return Err("the server has gone".into()),
            },
        }
    }
}
