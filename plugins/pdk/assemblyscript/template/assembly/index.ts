// The functions that the host calls. Nothing here is yours to change.
import { Problems, Value, Verdict } from "./elicit";
import { checkSettings, evaluate } from "./guardian";

export const elicit_guardian_abi: i32 = 1 << 16;

export function elicit_alloc(len: i32): usize { return heap.alloc(len); }

export function elicit_evaluate(at: usize, len: i32): u64 {
  const question = new Value(at, at + len), phase = question.get("/phase").text, verdict = new Verdict();
  if (question.get("/v").spelled != "1" || (phase != "before_show" && phase != "before_send")) return 0;
  evaluate(question, verdict);
  return give(verdict.toString());
}

export function elicit_check_settings(at: usize, len: i32): u64 {
  const problems = new Problems();
  checkSettings(new Value(at, at + len), problems);
  return give(problems.toString());
}

function give(text: string): u64 {
  const utf8 = String.UTF8.encode(text);
  return <u64>changetype<usize>(utf8) << 32 | utf8.byteLength;
}
