import { dataRead, dataSize, Decision, Problems, Severity, Value, Verdict } from "./elicit";

export function evaluate(question: Value, verdict: Verdict): void {
  const size = dataSize(), whole = new Uint8Array(16), tail = new Uint8Array(16);
  const a = dataRead(size - 20, whole), b = dataRead(size - 8, tail);
  if (dataRead(size, new Uint8Array(4)) == 0 && size > 100) verdict.decide(Decision.Ask);
  const first = String.UTF8.decode(whole.buffer.slice(0, a)), last = String.UTF8.decode(tail.buffer.slice(0, b));
  verdict.find(Severity.Low, "window", "", first + "|" + last);
}

export function checkSettings(settings: Value, problems: Problems): void {}
