//! The stretches of a form. Each is judged alone and the worst counts, so nothing that stands beside it takes anything
//! away. Stretches that only say something together are also judged together.

use crate::letters::sentences;

/// The most sentences of a help or a message that are also judged together with a label.
const JOINED: usize = 4;
const JOINED_ABOVE: usize = 3;
const MOST_JOINED: usize = 160; // bytes of each

/// The texts of one field that can be typed into. The name counts only where there is no label.
#[derive(Default, Clone, Copy)]
pub struct Field<'a> {
    pub name: &'a str,
    pub label: &'a str,
    pub help: &'a str,
}

/// Where a stretch stands.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    Message,
    Label(usize),
    Help(usize),
}

/// Gives each stretch, as one text or as two that are read one after the other.
pub fn stretches<'a>(message: &'a str, fields: &[Field<'a>], each: &mut dyn FnMut(Place, &'a str, &'a str)) {
    let short = |text: &str| text.len() <= MOST_JOINED;
    let mut above = Vec::new();
    sentences(message, &mut |s| above.push(s));
    above.iter().for_each(|s| each(Place::Message, s, ""));
    let above = &above[above.len().saturating_sub(JOINED_ABOVE)..];
    for (i, f) in fields.iter().enumerate() {
        let label = if !f.label.is_empty() {
            f.label
        } else if f.name.len() > 2 {
            f.name
        } else {
            ""
        };
        sentences(label, &mut |s| each(Place::Label(i), s, ""));
        let mut count = 0;
        sentences(f.help, &mut |s| {
            each(Place::Help(i), s, "");
            count += 1;
            if count <= JOINED && !label.is_empty() && short(label) && short(s) {
                each(Place::Help(i), label, s);
            }
        });
        if !label.is_empty() && short(label) {
            above.iter().filter(|s| short(s)).for_each(|s| each(Place::Label(i), s, label));
        }
    }
}
