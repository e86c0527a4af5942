// Puts guests together byte by byte: guardians that no compiler is needed for.

export const manifest = {
  name: "test", version: "1", phases: ["before_show", "before_send"], reads: ["/request", "/answer"]
};

export interface Parts {
  /** Its answer to every question. */
  says?: string;
  /** Its answer to every settings document. */
  settings?: string;
  manifest?: object | undefined;
  /** The body of elicit_evaluate in place of `says`. */
  evaluate?: number[];
  /** Functions to import, by module and name, with their types: `i` an i32. */
  imports?: [module: string, name: string, params: string, results: string][];
}

const at = { says: 16, settings: 8192, question: 20_000 };

/** A guest of ABI 1.0. */
export function assemble(parts: Parts = {}): Uint8Array<ArrayBuffer> {
  const { says = '{"v":1,"decision":"pass"}', settings = '{"v":1,"problems":[]}', imports = [] } = parts;
  const types = [type("i", "i"), type("ii", "I"), ...imports.map(([, , params, results]) => type(params, results))];
  const evaluate = parts.evaluate ?? packed(at.says, says);
  const functions = [[0x41, ...signed(at.question)], evaluate, packed(at.settings, settings)];
  const names = ["elicit_alloc", "elicit_evaluate", "elicit_check_settings"];
  const manifested = "manifest" in parts ? parts.manifest : manifest;
  return Uint8Array.from([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, types),
    ...section(2, imports.map(([module, name], i) => [...text(module), ...text(name), 0, 2 + i])),
    ...section(3, [[0], [1], [1]]),
    ...section(5, [[0, 2]]),
    ...section(6, [[0x7f, 0, 0x41, ...signed(1 << 16), 0x0b]]),
    ...section(7, [
      ...names.map((name, i) => [...text(name), 0, imports.length + i]),
      [...text("memory"), 2, 0], [...text("elicit_guardian_abi"), 3, 0],
    ]),
    ...section(10, functions.map((body) => sized([0, ...body, 0x0b]))),
    ...section(11, [says, settings]
      .map((said, i) => [0, 0x41, ...signed([at.says, at.settings][i]!), 0x0b, ...text(said)])),
    ...(manifested
      ? [0, ...sized([...text("elicit.guardian"), ...new TextEncoder().encode(JSON.stringify(manifested))])]
      : []),
  ]);
}

/** Instructions for bodies. */
export const code = {
  i32: (n: number) => [0x41, ...signed(n)],
  call: (index: number) => [0x10, index],
  /** ptr<<32|len of the question itself. */
  echo: [0x20, 0, 0xad, 0x42, 32, 0x86, 0x20, 1, 0xad, 0x84],
  forever: [0x03, 0x40, 0x0c, 0, 0x0b, 0x00],
  trap: [0x00],
  packed,
};

function packed(from: number, said: string): number[] {
  return [0x42, ...signed((BigInt(from) << 32n) | BigInt(new TextEncoder().encode(said).length))];
}

function type(params: string, results: string): number[] {
  const letters = (list: string) => [list.length, ...[...list].map((c) => (c === "i" ? 0x7f : 0x7e))];
  return [0x60, ...letters(params), ...letters(results)];
}

function section(id: number, members: number[][]): number[] {
  return members.length === 0 ? [] : [id, ...sized([...unsigned(members.length), ...members.flat()])];
}

const sized = (content: number[]) => [...unsigned(content.length), ...content];
const text = (s: string) => sized([...new TextEncoder().encode(s)]);

function unsigned(n: number): number[] {
  return n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...unsigned(n >>> 7)];
}

function signed(value: number | bigint): number[] {
  const out: number[] = [];
  for (let n = BigInt(value); ; n >>= 7n) {
    const low = Number(n & 0x7fn);
    if ((n >> 7n === 0n && low < 0x40) || (n >> 7n === -1n && low >= 0x40)) return [...out, low];
    out.push(low | 0x80);
  }
}
