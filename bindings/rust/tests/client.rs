//! A whole conversation of the example `client` with a server that asks. `ELICIT_DEMOSERVER` names the server, and
//! `ELICIT_CLIENT` another build of the client.
use std::env;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Runs a tool and types the next line at each prompt. It returns the output of the client and what the person saw.
fn conversation(tool: &str, lines: &[&str]) -> Option<(String, String)> {
    let Ok(server) = env::var("ELICIT_DEMOSERVER") else {
        eprintln!("skipped: no server");
        return None;
    };
    let built = env::current_exe().unwrap().with_file_name("../examples/client");
    let mut client = Command::new(env::var_os("ELICIT_CLIENT").unwrap_or(built.into()))
        .args([tool, &server])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut typed, mut screen) = (client.stdin.take(), client.stderr.take().unwrap());
    let (mut seen, mut byte, mut lines) = (String::new(), [0], lines.iter());
    while screen.read(&mut byte).unwrap() > 0 {
        seen.push(byte[0].into());
        if seen.ends_with(": ") || seen.ends_with("[y/n] ") {
            match lines.next() {
                Some(line) => writeln!(typed.as_ref().unwrap(), "{line}").unwrap(),
                None => typed = None,
            }
        }
    }
    let out = client.wait_with_output().unwrap();
    assert!(out.status.success(), "{seen}");
    Some((String::from_utf8(out.stdout).unwrap(), seen))
}

#[test]
fn two_questions() {
    if let Some((out, seen)) = conversation("two", &["y", "!decline"]) {
        assert!(out.contains("accept") && out.contains("decline"), "{out}");
        assert!(seen.contains(r#"["decline","user"]"#), "{seen}");
    }
}

#[test]
fn a_form_is_corrected() {
    // Name, Nickname, E-mail, …: one line for each field, then the age again.
    let lines = ["Ann", "", "", "", "", "", "old", "", "", "", "", "", "eu", "", "", "", "42"];
    if let Some((out, seen)) = conversation("profile", &lines) {
        assert!(out.contains("Ann") && out.contains("42"), "{out}\n{seen}");
        assert!(seen.matches("  Age: ").count() == 2 && seen.contains("  ! /age "), "{seen}");
    }
}

#[test]
fn the_person_leaves() {
    if let Some((out, seen)) = conversation("two", &[]) {
        assert!(seen.matches(r#"["cancel","user"]"#).count() == 2, "{out}\n{seen}");
    }
    if let Some((out, seen)) = conversation("connect", &[]) {
        assert!(out.contains("Cancelled"), "{out}\n{seen}");
    }
}

#[test]
fn the_example_is_short() {
    let lines = include_str!("../examples/client.rs").lines().count();
    assert!(lines <= 40, "{lines} lines");
}

/// The program that was written for version 0.1 prints what it printed then.
#[test]
fn the_kept_program() {
    let built = env::current_exe().unwrap().with_file_name("../examples/kept");
    let out = Command::new(built).output().unwrap();
    let want = include_str!("../../../testdata/kept/0.1/want.txtar");
    let want = want.split("-- client.rs --\n").nth(1).and_then(|rest| rest.split("-- ").next());
    assert_eq!(want, Some(&*String::from_utf8_lossy(&out.stdout)), "{}", String::from_utf8_lossy(&out.stderr));
}
