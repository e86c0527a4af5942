// hosts: refuses links to hosts that are not allowed, and asks when a message or the label of a field uses one of some
// words. Begin here: change the rule in evaluate, and in guardian.json the name and what the rule reads. To see a whole
// question, run elicit guardian question --schema FORM.
import { Decision, Problems, Severity, token, Value, Verdict, Walk } from "./elicit";

export function evaluate(question: Value, verdict: Verdict): void {
  const url = question.get("/request/url"), settings = question.get("/settings");
  if (!url.missing) {
    const to = host(url.text), allow = new Walk(settings.get("/allow"));
    let allowed = false;
    while (allow.next()) allowed = allowed || (to != "" && allow.value.text == to);
    if (!allowed) {
      verdict.decide(Decision.Deny);
      if (to != "") {
        verdict.find(Severity.High, "host_not_allowed", "/request/url", to + " is not among the allowed hosts");
      }
      else verdict.find(Severity.High, "no_https_host", "/request/url", "the link is not https or names no host");
    }
  }
  const message = lower(question.get("/request/message").text), words = new Walk(settings.get("/words"));
  while (words.next()) {
    const word = words.value.text;
    if (word == "" || !message.includes(word)) continue;
    verdict.decide(Decision.Ask);
    verdict.find(Severity.Medium, "word", "/request/message", "the message says: " + word);
  }
  const fields = new Walk(question.get("/request/form/fields"));
  for (let n = 0; fields.next(); n++) {
    const label = lower(fields.value.get("/label").text), again = new Walk(settings.get("/words"));
    while (again.next()) {
      const word = again.value.text;
      if (word == "" || !label.includes(word)) continue;
      verdict.decide(Decision.Ask);
      const at = "/request/form/fields/" + n.toString() + "/label";
      verdict.find(Severity.Medium, "word", at, "the form says: " + word);
    }
  }
}

export function checkSettings(settings: Value, problems: Problems): void {
  if (!settings.isObject) return problems.add("", "must be an object");
  const members = new Walk(settings);
  while (members.next()) {
    const name = members.name, items = new Walk(members.value);
    let fit = members.value.isList;
    while (items.next()) fit = fit && items.value.text != "";
    if (name != "allow" && name != "words") problems.add(token(name), "is not a setting of this guardian");
    else if (!fit) problems.add(token(name), "must be a list of texts");
  }
}

/** The host of an https URL in lower case, as a browser finds it; "" when there is none. */
function host(url: string): string {
  const t = lower(url);
  if (!t.startsWith("https://")) return "";
  let from = 8, end = 8;
  for (; end < t.length && !"/\\?#".includes(t.charAt(end)); end++) if (t.charAt(end) == "@") from = end + 1;
  for (let i = end; i > from; i--) {
    const c = t.charCodeAt(i - 1);
    if (c == 0x3a) end = i - 1;
    if (c < 0x30 || c > 0x39) break;
  }
  return t.substring(from, end);
}

/** ASCII in lower case; the rest as it is. */
function lower(text: string): string {
  const out = new StaticArray<u16>(text.length);
  for (let i = 0; i < text.length; i++) {
    const c = <u16>text.charCodeAt(i);
    out[i] = c >= 0x41 && c <= 0x5a ? c | 32 : c;
  }
  return String.UTF16.decodeUnsafe(changetype<usize>(out), text.length << 1);
}
