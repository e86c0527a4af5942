import * as base64 from "../../base64.ts";
import { joined } from "../../bytes.ts";

/** Facts of the page. */
export interface About {
  made: number;
  utc: boolean;
  /** The flags that chose the questions, or null. */
  filters: string[] | null;
  version: string;
}

/** The command's finding at the end of a journal. */
export interface Journal {
  name: string;
  records: number;
  head: string;
  ended: boolean;
  keyed?: string;
  problem?: string;
}

/** A record in words. */
export interface Entry {
  seq: number;
  at: number;
  journal: number;
  /** The question that it is about, or -1. */
  question: number;
  line: string;
  lines: [question: number, text: string][];
}

export interface Question {
  id: number;
  seq: number;
  asked: number;
  drawn?: number;
  ended?: number;
  server: string;
  tool?: string;
  message: string;
  outcome?: string;
  cause?: string;
  why?: string;
  severity?: string;
  journal: number;
  /** The places of its entries, in the order of the records. */
  entries: number[];
  /** The text that the search looks through, in small letters. */
  text: string;
}

/** Everything that the page shows. Texts come from peers; the command has spelled what is invisible in them. */
export class Log {
  about: About = { made: 0, utc: false, filters: null, version: "" };
  readonly journals: Journal[] = [];
  readonly entries: Entry[] = [];
  /** By their ids. */
  readonly questions: Question[] = [];

  /** In the order of time. */
  get asked(): Question[] {
    return this.questions.filter(Boolean).sort((a, b) => a.asked - b.asked || a.id - b.id);
  }

  /** Takes one line of the words. */
  read(line: string): void {
    const [kind, ...given] = JSON.parse(line) as [string, ...unknown[]];
    const journal = this.journals.length;
    switch (kind) {
      case "page":
        this.about = given[0] as About;
        break;
      case "entry": {
        const [seq, at, question, text, lines] = given as [number, number, number, string, Entry["lines"]];
        this.entries.push({ seq, at, journal, question, line: text, lines });
        break;
      }
      case "question": {
        const question = given[0] as Question;
        this.questions[question.id] = { ...question, journal, entries: [], text: "" };
        break;
      }
      case "journal":
        this.journals.push(given[0] as Journal);
    }
  }

  /** Puts the entries of all journals in the order of time, and joins them with their questions. */
  join(): void {
    this.entries.sort((a, b) => a.at - b.at || a.journal - b.journal || a.seq - b.seq);
    this.entries.forEach((entry, place) => {
      for (const id of new Set([entry.question, ...entry.lines.map(([id]) => id)])) {
        this.questions[id]?.entries.push(place);
      }
    });
    for (const question of this.questions) {
      const { server, tool = "", message, cause = "", outcome = "" } = question;
      const words = [server, tool, message, cause, outcome];
      for (const place of question.entries) words.push(...this.linesOf(place, question.id));
      question.text = words.join("\n").toLowerCase();
    }
  }

  /** The lines of an entry that are about a question. */
  linesOf(place: number, question: number): string[] {
    const entry = this.entries[place]!;
    const lines = entry.lines.filter(([about]) => about === question).map(([, text]) => text);
    return entry.question === question ? [entry.line, ...lines] : lines;
  }
}

/** The decompressed bytes of a data block, in parts. */
export async function* inflate(block: Element): AsyncGenerator<Uint8Array> {
  const text = block.textContent;
  block.remove(); // its text would stay in memory
  const zipped: BlobPart[] = [];
  for (let i = 0, part = 1 << 16; i < text.length; i += part) zipped.push(base64.read(text.slice(i, i + part)));
  const stream = new Blob(zipped).stream().pipeThrough(new DecompressionStream("gzip"));
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** Lines of bytes, each with its line end if it has one. */
export async function* lines(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = [];
  for await (const part of parts) {
    let from = 0;
    for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, from)) {
      yield joined([...begun, part.subarray(from, end + 1)]);
      begun = [];
      from = end + 1;
    }
    if (from < part.length) begun.push(part.subarray(from));
  }
  if (begun.length > 0) yield joined(begun);
}
