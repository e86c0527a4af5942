import type { Engine, Problem } from "../../src/index.ts";

/** The members that the page reads of a record that the engine has replayed. */
interface Line {
  at: number;
  event: {
    event: string;
    session?: string;
    server?: string;
    ref?: string;
    tool?: string;
    message?: string;
    mode?: string;
  };
  effects: LineEffect[];
  hash: string;
}

interface LineEffect {
  effect: string;
  session?: string;
  id?: string;
  ref?: string;
  outcome?: string;
  cause?: string;
  resolution?: string;
}

/** The known facts of a question from one record on. */
interface Change {
  /** The number of the record, from 1. */
  record: number;
  what: string;
  cause?: string;
}

/** A question of a journal. Its texts are untrusted. */
export interface Question {
  record: number;
  at: number;
  server: string;
  tool: string;
  message: string;
  changes: Change[];
}

/** The engine reads an input of 4 MiB. It holds the journal, escaped as JSON, and a policy of up to 64 KiB. */
const mostJournal = (4 << 20) - (64 << 10);

/** Whether a file is no module but a journal: it begins as JSON, or has the name of one. */
export async function isText(file: File): Promise<boolean> {
  return file.name.endsWith(".jsonl") || (await file.slice(0, 1).text()) === "{";
}

/** A journal that the visitor dropped. Its records are replayed before anything else is read from them. */
export class Past {
  readonly questions: Question[] = [];
  readonly moments: { at: number; event: string; hash: string }[] = [];
  /** Why the replay ended before the end of the file. */
  readonly problems: Problem[];

  /** Reads a file. The sentence tells why it cannot be read. */
  static async of(file: File, engine: Engine): Promise<Past | string> {
    const text = file.size > mostJournal ? undefined : await file.text();
    if (text === undefined || new TextEncoder().encode(JSON.stringify(text)).length > mostJournal) {
      return `${file.name} is too large: this page reads journals of about 3 MiB. The command elicit replay reads it.`;
    }
    return new Past(file.name, text, engine);
  }

  private constructor(
    readonly file: string,
    readonly text: string,
    engine: Engine,
  ) {
    const out = engine.eval("replay", { journal_text: text }) as { records: number; problems?: Problem[] };
    this.problems = out.problems ?? [];
    const servers = new Map<string, string>();
    const asked = new Map<string, Question>();
    let at = 0;
    for (let record = 1; record <= out.records; record++) {
      const end = text.indexOf("\n", at);
      this.#read(JSON.parse(text.slice(at, end < 0 ? undefined : end)) as Line, record, servers, asked);
      at = end + 1;
    }
  }

  #read(line: Line, record: number, servers: Map<string, string>, asked: Map<string, Question>) {
    const { at, event, effects, hash } = line;
    const { session = "", ref = "" } = event;
    this.moments.push({ at, event: event.event, hash });
    if (event.event === "opened") servers.set(session, event.server ?? "");
    if (event.event === "asked") {
      const { message = "", tool = "" } = event;
      const question: Question = { record, at, server: servers.get(session) ?? "", tool, message, changes: [] };
      question.changes.push({ record, what: "asked" });
      this.questions.push(question);
      asked.set(key(session, ref), question);
    }
    for (const one of effects) {
      const known = one.ref !== undefined ? asked.get(key(one.session ?? "", one.ref)) : asked.get(`id ${one.id}`);
      // A show of the first format has no ref. It follows the event that asked.
      const question = known ?? (event.event === "asked" && one.effect === "show" ? this.questions.at(-1) : undefined);
      if (!question) continue;
      if (one.id !== undefined) asked.set(`id ${one.id}`, question);
      const what = words(one);
      if (what) question.changes.push({ record, what, ...(one.cause === undefined ? {} : { cause: one.cause }) });
    }
  }
}

const key = (session: string, ref: string) => JSON.stringify([session, ref]);

function words({ effect, outcome, resolution }: LineEffect): string | undefined {
  switch (effect) {
    case "show": return "waiting for a person";
    case "reply": return outcome;
    case "withdraw": return "withdrawn";
    case "resolve": return `page ${resolution}`;
  }
  return undefined;
}

/** Where a question stood after a record: its last change up to then. */
export const stood = (question: Question, record: number): Change =>
  question.changes.filter((change) => change.record <= record).at(-1)!;
