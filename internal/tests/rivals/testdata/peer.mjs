// Judges what the tests of this directory draw, a line at a time: node peer.mjs KIND NODE_MODULES.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const bits = new DataView(new ArrayBuffer(8));

function number(x) {
  bits.setFloat64(0, x || 0); // 0 for -0
  return "n" + bits.getBigUint64(0).toString(16).padStart(16, "0");
}

const text = (s) => "s" + Buffer.from(s, "utf8").toString("hex");

// value writes a value as the other readers do: every number as the bits of a double, every text as hexadecimal UTF-8.
function value(v) {
  if (v === null) return "z";
  if (v === true) return "t";
  if (v === false) return "f";
  if (typeof v === "number") return number(v);
  if (typeof v === "string") return text(v);
  if (Array.isArray(v)) return "[" + v.map(value).join(",") + "]";
  const members = Object.keys(v).map((k) => [text(k), value(v[k])]);
  members.sort((a, b) => (a[0] < b[0] ? -1 : 1));
  return "{" + members.map((m) => m.join(":")).join(",") + "}";
}

function json(line) {
  const read = (word) => {
    try {
      return value(JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(word, "hex"))));
    } catch {
      return "!";
    }
  };
  return line.split(" ").map(read).join(" ");
}

// matches tries each code point in turn, as step 14 of ECMA-262, 22.2.7.2 does. V8 also tries the middle of a surrogate
// pair, where it takes \B for true.
function matches(re, text) {
  for (let at = 0; at <= text.length; at += text.codePointAt(at) > 0xffff ? 2 : 1) {
    re.lastIndex = at;
    if (re.test(text)) return "1";
  }
  return "0";
}

// pattern answers for each flag with a digit for each text, or with "!" for a pattern that is refused.
function pattern({ pattern, texts }) {
  return ["u", "v"].map((flag) => {
    try {
      const re = new RegExp(pattern, flag + "y");
      return texts.map((t) => matches(re, t)).join("");
    } catch {
      return "!";
    }
  });
}

function url(raw) {
  try {
    const u = new URL(raw);
    return [u.protocol, u.hostname, u.port, u.pathname, u.search, u.hash, u.username + u.password && "user"];
  } catch {
    return null;
  }
}

// schema names the members that ajv refuses. It checks no formats: their grammars are compared elsewhere.
function schema(ajv) {
  return ({ schema, answer }) => {
    const check = ajv.compile(schema);
    ajv.removeSchema();
    if (check(answer)) return [];
    const names = check.errors.map((e) => e.params.missingProperty ?? e.instancePath.split("/")[1]);
    return [...new Set(names)].sort();
  };
}

const each = (judge) => (line) => JSON.stringify(JSON.parse(line).map(judge));

const [kind, modules] = process.argv.slice(2);
let judge;
if (kind === "schema") {
  const { Ajv2020 } = createRequire(modules + "/")("ajv/dist/2020.js");
  judge = each(schema(new Ajv2020({ allErrors: true, strict: false, validateFormats: false })));
} else {
  judge = { json, pattern: each(pattern), url: each(url) }[kind];
}
for await (const line of createInterface({ input: process.stdin })) process.stdout.write(judge(line) + "\n");
