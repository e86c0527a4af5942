// A whole host on a page: everything that stands between a metered module and a verdict, for V8 in Node and for
// browsers.
import { wasi, Exit } from "./wasi.mjs";

const MAX_QUESTION = 128 << 10, MAX_OUTPUT = 16 << 10, START_FUEL = 5_000_000;
const REASONS = { 1: "fuel", 2: "depth" };

/**
 * Gives a document to a function of a fresh instance. granted is whether the operator gave the guest WASI, and needs
 * whether it declares a data document.
 */
async function run({ module, instance_fuel, granted, needs }, call, document, data, budget) {
  if (document.length > MAX_QUESTION) return { fault: "question_too_large", used: 0, pages: 0 };
  if (needs && !data) return { fault: "not_loaded", used: 0, pages: 0 };
  if (budget < instance_fuel) return { fault: "fuel", used: budget, pages: 0 };
  let instance;
  const imports = { elicit_guardian_v1: { log() {}, ...reading(data, () => instance?.exports.memory.buffer) } };
  if (granted) imports.wasi_snapshot_preview1 = wasi(() => instance?.exports.memory);
  try {
    instance = await WebAssembly.instantiate(module, imports);
  } catch (e) {
    return { fault: e instanceof Exit ? "exit" : "start", used: 0, pages: 0 };
  }
  const { elicit_meter_fuel: fuel, memory } = instance.exports;
  let left = budget - instance_fuel - (START_FUEL - Number(fuel.value)), came;
  if (left >= 0) {
    fuel.value = BigInt(left);
    came = converse(instance.exports, call, document);
    left = Number(fuel.value);
  }
  if (left < 0) came = { fault: "fuel" };
  return { ...came, used: budget - Math.max(0, left), pages: memory.buffer.byteLength / 65536 };
}

/** The data document, of which only what is asked for is copied. While a start section runs there is none. */
const reading = (data, memory) => ({
  data_size: () => (memory() ? data.length : -1),
  data_read(offset, to, size) {
    offset >>>= 0, to >>>= 0, size >>>= 0;
    if (!memory() || to + size > memory().byteLength) return -1;
    const window = data.subarray(offset, offset + size);
    new Uint8Array(memory()).set(window, to);
    return window.length;
  },
});

/** A text repeated up to a size. */
function repeated(text, size) {
  const unit = new TextEncoder().encode(text), whole = new Uint8Array(size);
  for (let at = 0; at < size; at += unit.length) whole.set(unit.subarray(0, size - at), at);
  return whole;
}

function converse(guest, call, document) {
  let own = "start";
  try {
    guest._initialize?.();
    own = "trap";
    const place = guest.elicit_alloc(document.length) >>> 0;
    if (place === 0 || place + document.length > guest.memory.buffer.byteLength) return { fault: "bad_alloc" };
    new Uint8Array(guest.memory.buffer).set(document, place);
    const packed = guest["elicit_" + call](place, document.length);
    return read(guest.memory.buffer, BigInt.asUintN(64, packed)); // the buffer is another one when memory has grown
  } catch (e) {
    if (e instanceof Exit) return { fault: "exit" };
    return { fault: REASONS[guest.elicit_meter_reason.value] ?? own };
  }
}

/** The order of these is part of the contract. */
function read(memory, packed) {
  if (packed === 0n) return { fault: "refused" };
  const at = Number(packed >> 32n), size = Number(packed & 0xffffffffn);
  if (size === 0 || at + size > memory.byteLength) return { fault: "bad_output" };
  if (size > MAX_OUTPUT) return { fault: "output_too_large" };
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { output: decoder.decode(new Uint8Array(memory, at, size)) };
  } catch {
    return { fault: "bad_output" };
  }
}

/** Puts every case to this engine. read gives the bytes of a file of the bundle; say gets what differs. */
export async function certify(read, say) {
  const json = async (file) => JSON.parse(new TextDecoder().decode(await read(file)));
  let ran = 0, failed = 0;
  for (const kit of await json("index.json")) {
    const { modules, cases } = await json(`cases/${kit}.json`);
    const loaded = new Map();
    for (const m of modules.filter((m) => !m.refused)) {
      const module = await WebAssembly.compile(await read(`metered/${m.module}.wasm`));
      loaded.set(m.module, { granted: m.wasi, needs: m.data, instance_fuel: m.instance_fuel, module });
    }
    for (const c of cases) {
      const guest = loaded.get(c.module);
      const given = c.text === undefined ? await read(`questions/${c.document}`) : new TextEncoder().encode(c.text);
      const document = new Uint8Array(Math.max(given.length, c.pad ?? 0)).fill(0x20);
      document.set(given);
      const data = c.data === undefined ? undefined : repeated(c.data, c.data_size ?? 0);
      const want = JSON.stringify({ output: c.output, fault: c.fault, used: c.used, pages: c.pages });
      ran++;
      for (let i = 0; i < (c.times ?? 2); i++) {
        const { output, fault, used, pages } = await run(guest, c.call, document, data, c.fuel);
        const got = JSON.stringify({ output, fault, used, pages });
        if (got !== want) {
          failed++;
          say(`${c.case}\n got ${got}\nwant ${want}`);
          break;
        }
      }
    }
  }
  return { ran, failed };
}
