/** The result of verifying the records of a journal. */
export interface Chain {
  /** Records whose bytes have the hash that they carry. */
  held: number;
  /** Of these, records that follow the one before them in the page, and not one that is left out. */
  linked: number;
  /** The hash of the last record that holds. */
  head: string;
  /** Why the first record that does not hold does not. */
  problem?: string;
}

/** The parts of the chain; see engine/journal. */
interface Shape {
  /** The bytes that the hash covers. */
  covered: Uint8Array<ArrayBuffer>;
  seq: number;
  prev: string;
  hash: string;
}

const ascii = new TextDecoder("latin1");

/** The code of a keyed journal, which the chain does not cover. */
const mac = /,"mac":"[^"\\]{64}"\}$/;
const head = /^\{"v":([12]),"seq":(\d{1,15}),"at":/;
const tail = /,"prev":"([0-9a-f]{64})","hash":"([0-9a-f]{64})"\}$/;
const hashMember = ',"hash":"'.length + 64 + '"}'.length;
const macMember = ',"mac":"'.length + 64 + '"}'.length;
const longest = 8 << 20;

/** Takes a line apart without its line end, or undefined if it is no record. */
export function shape(line: Uint8Array): Shape | undefined {
  if (line.length > longest) return undefined;
  let end = line.length;
  const close = (to: number) => ascii.decode(line.subarray(Math.max(0, to - 400), to));
  let text = close(end);
  if (mac.test(text)) text = close((end -= macMember)) + "}"; // the code stands before the brace of the record
  else end--;
  const begin = head.exec(ascii.decode(line.subarray(0, 80)));
  const finish = tail.exec(text);
  if (!begin || !finish) return undefined;
  const covered = line.subarray(0, end + 1 - hashMember) as Uint8Array<ArrayBuffer>;
  return { covered, seq: Number(begin[2]), prev: finish[1]!, hash: finish[2]! };
}

/** The number of a record, or 0. */
export const seqOf = (line: Uint8Array): number => Number(head.exec(ascii.decode(line.subarray(0, 80)))?.[2] ?? 0);

export async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(sum, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether this browser computes hashes here. */
export const canHash = (): boolean => globalThis.crypto?.subtle !== undefined;

/** How many records are hashed at the same time. */
const together = 500;

const genesis = "0".repeat(64);

/**
 * Verifies records one after another. A page with filters leaves records out, so `gaps` says that a number may be
 * missing; a record after a gap is only compared with its own hash. `progress` is called between the steps.
 */
export async function verify(
  records: readonly Uint8Array[], gaps: boolean, progress: (done: number) => void,
): Promise<Chain> {
  const out: Chain = { held: 0, linked: 0, head: genesis };
  let last = 0;
  for (let from = 0; from < records.length; from += together) {
    const batch = records.slice(from, from + together).map((line) => {
      const whole = line.at(-1) === 10;
      return { whole, is: shape(whole ? line.subarray(0, -1) : line) };
    });
    const hashes = await Promise.all(batch.map(({ is }) => (is ? digest(is.covered) : "")));
    for (const [i, { whole, is }] of batch.entries()) {
      const problem = wrong(is, whole, hashes[i]!, last, out.head, gaps);
      if (problem !== undefined) return { ...out, problem };
      out.held++;
      if (is!.seq === last + 1) out.linked++;
      last = is!.seq;
      out.head = is!.hash;
    }
    progress(from + batch.length);
  }
  return out;
}

function wrong(
  is: Shape | undefined, whole: boolean, hash: string, last: number, before: string, gaps: boolean,
): string | undefined {
  if (!is) return `what stands in place of record ${last + 1} is not a whole record`;
  if (!whole) return `record ${last + 1} is cut off`;
  if (is.hash !== hash) return `record ${gaps ? is.seq : last + 1} was changed after it was written`;
  if (gaps ? is.seq <= last : is.seq !== last + 1) return `number ${is.seq} stands in place of record ${last + 1}`;
  if (is.seq === last + 1 && is.prev !== before) return `record ${is.seq} does not follow the record before it`;
  return undefined;
}
