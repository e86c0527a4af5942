use elicit_guardian::{data, guardian, Decision, Problems, Question, Severity, Value, Verdict};

guardian!("../guardian.json", evaluate, check_settings);

fn evaluate(_: &Question, verdict: &mut Verdict) {
    let (mut whole, mut tail) = ([0u8; 16], [0u8; 16]);
    let size = data::size();
    let (a, b) = (data::read(size - 20, &mut whole), data::read(size - 8, &mut tail));
    if data::read(size, &mut [0u8; 4]) == 0 && size > 100 {
        verdict.decide(Decision::Ask);
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    verdict.find(Severity::Low, "window", "", &[text(&whole[..a]), "|".into(), text(&tail[..b])].concat());
}

fn check_settings(_: Value, _: &mut Problems) {}
