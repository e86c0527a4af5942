/** One line of a guest's log. It is a guest's word, told to people and to nothing that decides. */
export interface LogLine {
  level: "debug" | "info" | "warn" | "error";
  text: string;
}

const levels = ["debug", "info", "warn", "error"] as const;

/** The most bytes of a line, and lines of a log; the rest is dropped. */
const maxLine = 1 << 10;
const maxLines = 32;

const newline = 0x0a;

/** Collects lines. A program writes to its standard streams in pieces, which are cut at line ends. */
export class Log {
  readonly lines: LogLine[] = [];
  /** Standard output and standard error, up to the last line end. */
  readonly #streams: [number[], number[]] = [[], []];

  add(level: number, text: Uint8Array): void {
    if (this.lines.length < maxLines) this.lines.push({ level: levels[Math.min(level, 3)]!,
      text: lossy(text.subarray(0, maxLine)) });
  }

  /** Adds a piece of standard output (0) or standard error (1). */
  write(stream: 0 | 1, piece: Uint8Array): void {
    while (this.lines.length < maxLines) {
      const end = piece.indexOf(newline);
      const line = end < 0 ? piece : piece.subarray(0, end);
      const kept = this.#streams[stream];
      kept.push(...line.subarray(0, maxLine - kept.length));
      if (end < 0) return;
      this.#end(stream);
      piece = piece.subarray(end + 1);
    }
  }

  /** Ends lines that have no end. */
  flush(): void {
    for (const stream of [0, 1] as const) if (this.#streams[stream].length > 0) this.#end(stream);
  }

  #end(stream: 0 | 1): void {
    this.add(1 + stream, Uint8Array.from(this.#streams[stream]));
    this.#streams[stream].length = 0;
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const loose = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of bytes that must be text; undefined when they are not. */
export function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** One U+FFFD for each run of bytes that are no text, as every host writes it. */
function lossy(bytes: Uint8Array): string {
  const whole = decoded(bytes);
  if (whole !== undefined) return whole;
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at <= bytes.length; at++) {
    // A U+FFFD that the guest wrote itself is no such run.
    const own = bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
    if (!own && at < bytes.length) continue;
    pieces.push(loose.decode(bytes.subarray(from, at)).replace(/\ufffd+/g, "\ufffd"));
    from = at + 3;
    at += 2;
  }
  return pieces.join("\ufffd");
}
