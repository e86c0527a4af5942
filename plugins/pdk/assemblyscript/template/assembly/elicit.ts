// Everything that a guardian of Elicit needs in AssemblyScript. An instance lives for one call, so nothing is ever
// freed.

// @ts-ignore: decorator
@external("elicit_guardian_v1", "log") declare function hostLog(level: i32, ptr: usize, len: usize): void;
// @ts-ignore: decorator
@external("elicit_guardian_v1", "data_size") declare function hostDataSize(): i32;
// @ts-ignore: decorator
@external("elicit_guardian_v1", "data_read") declare function hostDataRead(offset: i32, ptr: usize, len: i32): i32;

export enum Decision { Pass, Allow, Ask, Deny }
export enum Severity { Info, Low, Medium, High, Critical }
export enum Level { Debug, Info, Warn, Error }

/** The first quote or backslash from p on; fuel is counted, so eight bytes at a time. */
function special(p: usize, end: usize): usize {
  const ones: u64 = 0x0101010101010101;
  for (; p + 8 <= end; p += 8) {
    const w = load<u64>(p), quote = w ^ (ones * 0x22), back = w ^ (ones * 0x5c);
    if ((((quote - ones) & ~quote) | ((back - ones) & ~back)) & (ones << 7)) break;
  }
  while (p < end && load<u8>(p) != 0x22 && load<u8>(p) != 0x5c) p++;
  return p;
}

function blank(p: usize, end: usize, also: u8): usize {
  while (p < end && (load<u8>(p) <= 0x20 || load<u8>(p) == also)) p++;
  return p;
}

// Where long values begin and end, because a rule looks into a question more than once.
const known = memory.data(64 * 8, 8);

/** The end of the value that begins at p. It counts brackets and calls nothing of itself, however deep they go. */
function behind(p: usize, end: usize): usize {
  const begin = p;
  if (load<usize>(known + p % 61 * 8) == p) return load<usize>(known + p % 61 * 8, 4);
  for (let depth = 0; p < end;) {
    const from = p, c = load<u8>(p++);
    if (c == 0x22) {
      while (p < end) {
        p = special(p, end);
        if (p >= end || load<u8>(p) == 0x22) break;
        p += 2;
      }
      p = min(p + 1, end);
      if (p - from > 64) remember(from, p);
    } else if (c == 0x7b || c == 0x5b) depth++;
    else if (c == 0x7d || c == 0x5d) depth = max(depth - 1, 0);
    else if (c != 0x2c && c != 0x3a && c > 0x20) {
      while (p < end && load<u8>(p) > 0x20 && load<u8>(p) != 0x2c && load<u8>(p) != 0x7d && load<u8>(p) != 0x5d) p++;
    }
    if (!depth) break;
  }
  if (p - begin > 64) remember(begin, p);
  return p;
}

function remember(at: usize, end: usize): void {
  store<usize>(known + at % 61 * 8, at);
  store<usize>(known + at % 61 * 8, end, 4);
}

/** A value of the question, or one that is missing, which has no members, no items and no text. */
export class Value {
  constructor(public at: usize = 0, public end: usize = 0) {}

  get missing(): bool { return !this.at; }
  get isText(): bool { return this.first == 0x22 && this.end - this.at > 1; }
  get isList(): bool { return this.first == 0x5b; }
  get isObject(): bool { return this.first == 0x7b; }
  private get first(): u8 { return this.at < this.end ? load<u8>(this.at) : 0; }

  /** The value at a pointer of RFC 6901, such as "/request/form/fields/0/name". */
  get(pointer: string): Value {
    let v: Value = this;
    const tokens = pointer.split("/");
    for (let i = 1; i < tokens.length; i++) {
      const token = tokens[i].replaceAll("~1", "/").replaceAll("~0", "~"), walk = new Walk(v);
      let index = 0;
      while (walk.next() && (v.isObject ? walk.name != token : (index++).toString() != token)) {}
      v = walk.value;
    }
    return v;
  }

  /** The text of a string; "" for any other value. */
  get text(): string {
    if (!this.isText) return "";
    const raw = String.UTF8.decodeUnsafe(this.at + 1, this.end - this.at - 2);
    if (special(this.at + 1, this.end - 1) == this.end - 1) return raw;
    const out = new StaticArray<u16>(raw.length);
    let n = 0;
    for (let i = 0; i < raw.length; i++) {
      let c = unit(raw, i);
      if (c == 0x5c) {
        c = unit(raw, ++i);
        if (c == 0x75) {
          c = hex(raw, i + 1);
          i += 4;
          const next = c >> 10 == 0x36 && unit(raw, i + 1) == 0x5c ? hex(raw, i + 3) : 0;
          if (next >> 10 == 0x37) {
            out[n++] = c;
            c = next;
            i += 6;
          } else if (c >> 11 == 0x1b) c = 0xfffd; // half a surrogate pair
        } else c = c == 0x6e ? 10 : c == 0x72 ? 13 : c == 0x74 ? 9 : c == 0x62 ? 8 : c == 0x66 ? 12 : c;
      }
      out[n++] = c;
    }
    return String.UTF16.decodeUnsafe(changetype<usize>(out), n << 1);
  }

  /** The value as the host spelled it: numbers, true, false and null; "" when it is missing. */
  get spelled(): string { return String.UTF8.decodeUnsafe(this.at, this.end - this.at); }
}

/** A unit of a string, 0 behind its end. */
function unit(s: string, at: i32): u16 {
  return at < s.length ? load<u16>(changetype<usize>(s) + (at << 1)) : 0;
}

function hex(s: string, at: i32): u16 {
  let code: u16 = 0;
  for (let i = at; i < at + 4; i++) code = code << 4 | (unit(s, i) & 15) + (unit(s, i) > 0x39 ? 9 : 0);
  return code;
}

/**
 * Steps through a list or an object: while (walk.next()) { walk.name … walk.value }.
 * After the end, value is missing.
 */
export class Walk {
  name: string = "";
  value: Value = new Value();
  private p: usize;

  constructor(private list: Value) { this.p = list.at + 1; }

  next(): bool {
    const list = this.list, end = list.end;
    let p = this.p = blank(this.p, end, 0x2c);
    if (!(list.isObject || list.isList) || p >= end || load<u8>(p) == 0x7d || load<u8>(p) == 0x5d) {
      this.value = new Value();
      return false;
    }
    if (list.isObject) {
      const name = new Value(p, behind(p, end));
      this.name = name.text;
      p = blank(name.end, end, 0x3a);
    }
    this.value = new Value(p, this.p = behind(p, end));
    return true;
  }
}

/**
 * The items of a list as the host writes them: {…},{…} without the brackets. An item that does not fit is removed
 * again.
 */
class List {
  at: usize = heap.alloc(12 << 10);
  len: usize = 0;
  count: i32 = 0;
  private full: bool = false;

  put(c: u32): void {
    if (this.len < 12 << 10) store<u8>(this.at + this.len++, <u8>c);
    else this.full = true;
  }

  raw(s: string): List {
    for (let i = 0; i < s.length; i++) this.put(s.charCodeAt(i));
    return this;
  }

  quote(s: string, most: i32 = i32.MAX_VALUE): List {
    this.put(0x22);
    for (let i = 0; i < s.length; i++) {
      let c = <u32>s.codePointAt(i);
      if (c >> 11 == 0x1b) c = 0xfffd;
      if ((most -= c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4) < 0) break;
      if (c < 0x20 || c == 0x22 || c == 0x5c) {
        this.put(0x5c);
        if (c >= 0x20) this.put(c);
        else if (c == 9 || c == 10 || c == 13) this.put(c == 9 ? 0x74 : c == 10 ? 0x6e : 0x72);
        else this.raw(c < 0x10 ? "u000" : "u001").put("0123456789abcdef".charCodeAt(c & 15));
        continue;
      }
      if (c >= 0x10000) { this.put(0xf0 | c >> 18); i++; }
      if (c >= 0x800) this.put(c < 0x10000 ? 0xe0 | c >> 12 : 0x80 | (c >> 12 & 63));
      if (c >= 0x80) this.put(c < 0x800 ? 0xc0 | c >> 6 : 0x80 | (c >> 6 & 63));
      this.put(c < 0x80 ? c : 0x80 | (c & 63));
    }
    this.put(0x22);
    return this;
  }

  close(before: usize): bool {
    this.put(0x7d);
    if (this.full) this.len = before;
    else this.count++;
    this.full = false;
    return this.len != before;
  }

  get text(): string { return String.UTF8.decodeUnsafe(this.at, this.len); }
}

/** The guardian's verdict, pass until it says something else. */
export class Verdict {
  decision: Decision = Decision.Pass;
  private findings: List = new List();
  private obligations: List = new List();

  /** Decides, unless something stricter was decided before. */
  decide(decision: Decision): void { this.decision = max(this.decision, decision); }

  /** Tells what was found. The host reads 32 findings; those behind are dropped here, and messages cut at 500 bytes. */
  find(severity: Severity, code: string, pointer: string, message: string): void {
    const l = this.findings, before = l.len;
    if (l.count == 32) return;
    l.raw(before ? ',{"code":' : '{"code":').quote(code, 64);
    if (pointer != "") l.raw(',"pointer":').quote(pointer);
    l.raw(',"message":').quote(message, 500).raw(',"severity":');
    l.quote(["info", "low", "medium", "high", "critical"][severity]).close(before);
  }

  /** Obliges the host to leave this part of the answer out. Only before an answer is sent. */
  redact(pointer: string): void { this.oblige("redact", pointer); }

  /** Obliges the host to let another person approve. Only before an answer is sent. */
  secondPerson(): void { this.oblige("second_person", ""); }

  /** An obligation is never dropped: one more than the host takes is a denial. */
  private oblige(what: string, pointer: string): void {
    const l = this.obligations, before = l.len;
    l.raw(before ? ',{"do":' : '{"do":').quote(what);
    if (pointer != "") l.raw(',"pointer":').quote(pointer);
    if (l.close(before) && l.count <= 8 && l.len <= 3 << 10) return;
    l.len = before;
    this.decide(Decision.Deny);
  }

  toString(): string {
    let out = '{"v":1,"decision":"' + ["pass", "allow", "ask", "deny"][this.decision] + '"';
    if (this.findings.len) out += ',"findings":[' + this.findings.text + "]";
    if (this.obligations.len) out += ',"obligations":[' + this.obligations.text + "]";
    return out + "}";
  }
}

/** The problems of settings. */
export class Problems {
  private list: List = new List();

  add(pointer: string, message: string): void {
    const l = this.list, before = l.len;
    l.raw(before ? ',{"pointer":' : '{"pointer":').quote(pointer).raw(',"message":').quote(message, 500).close(before);
  }

  toString(): string { return '{"v":1,"problems":[' + this.list.text + "]}"; }
}

/** A name as a token of a pointer. */
export function token(name: string): string { return "/" + name.replaceAll("~", "~0").replaceAll("/", "~1"); }

/** Writes a line to the host's log, which never changes a verdict. */
export function log(level: Level, line: string): void {
  const utf8 = String.UTF8.encode(line);
  hostLog(level, changetype<usize>(utf8), utf8.byteLength);
}

/**
 * The bytes of the data document that the operator permits, such as a sorted list of hosts: up to 4 MiB, the same
 * bytes at every question. A guardian that reads it says in its manifest what it holds, as "data".
 */
export function dataSize(): i32 { return max(hostDataSize(), 0); }

/**
 * Fills `into` with the bytes from an offset on, and returns how many there were: fewer at the end of the document.
 * It costs 257 fuel, and one for each 8 bytes of `into`.
 */
export function dataRead(offset: i32, into: Uint8Array): i32 {
  return max(hostDataRead(offset, into.dataStart, into.length), 0);
}
