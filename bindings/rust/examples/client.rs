//! An MCP client: `client TOOL SERVER ARGUMENTS...` calls a tool, and you answer the server's questions here.
use elicit_engine::{contract::Json, read_lines, Connection, Console, End, Error, Next};
use serde_json::{from_slice, json};
use std::{collections::HashMap, env::args, io::Write, process::Command, process::Stdio, sync::mpsc, time::Duration};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = args().skip(1).collect();
    let mut server = Command::new(&words[1]).args(&words[2..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (to_us, inputs) = mpsc::channel();
    read_lines(server.stdout.take().unwrap(), to_us.clone(), |line| (End::Server, line));
    read_lines(std::io::stdin(), to_us, |line| (End::Client, line));
    let (mut console, mut to_server) = (Console::new(std::io::stderr()), server.stdin.take().unwrap());
    let mut connection = Connection::open(&json!({"server": words[1], "role": "client", "modes": ["form", "url"]}))?;
    let call = |id, what, params| json!({"jsonrpc": "2.0", "id": id, "method": what, "params": params}).to_string();
    let me = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    connection.receive(End::Client, call(1, "initialize", me).as_bytes())?;
    loop {
        match connection.next(&mut ()) {
            Ok(Next::Write { to: End::Server, message }) => to_server.write_all(&[&*message, b"\n"].concat())?,
            Ok(Next::Write { message, .. }) => match from_slice::<HashMap<String, Json>>(&message)? {
                reply if reply.get("id").is_some_and(|id| id.get() == "1") => {
                    connection.receive(End::Client, br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
                    connection.receive(End::Client, call(2, "tools/call", json!({"name": words[0]})).as_bytes())?;
                }
                reply if reply.get("id").is_some_and(|id| id.get() == "2") => {
                    return Ok(println!("{}", reply.get("result").or(reply.get("error")).unwrap()))
                }
                _ => {}
            },
            Ok(Next::Effect { effect, .. }) => console.perform(&effect)?.map_or(Ok(()), |no| connection.step(&no))?,
            Ok(Next::Wait(time)) => match inputs.recv_timeout(time.unwrap_or(Duration::MAX)) {
                Ok((End::Server, line)) => connection.receive(End::Server, &line.ok_or("the server has gone")?)?,
                Ok((End::Client, line)) => console.typed(line.as_deref())?.map_or(Ok(()), |a| connection.step(&a))?,
                Err(_) => {} // the time is over
            },
            Err(wrong @ Error::Unreadable { .. }) => eprintln!("{wrong}"),
            Err(wrong) => return Err(wrong.into()),
        }
    }
}
