import { operationNames } from "../../codes.ts";
import { Instance, op } from "../../instance.ts";
import { digest } from "./chain.ts";
import { joined } from "../../bytes.ts";
import { inflate } from "./data.ts";

/** The result of replaying a journal. */
export type Replayed =
  | { is: "same"; records: number }
  | { is: "other"; record: number }
  | { is: "broken"; code: string }
  | { is: "too large" };

interface Problem {
  code: string;
  args?: { record?: number };
}

/** The engine reads an input of 4 MiB: the journal, escaped as JSON. */
const most = 4 << 20;

/** The engine of the page, in the module that the command has put into it. */
export class Engine {
  private constructor(
    private readonly instance: Instance,
    /** The SHA-256 of the module. */
    readonly digest: string,
  ) {}

  static async start(block: Element): Promise<Engine> {
    const parts: Uint8Array[] = [];
    for await (const part of inflate(block)) parts.push(part);
    const bytes = joined(parts);
    return new Engine(await Instance.start(await WebAssembly.compile(bytes)), await digest(bytes));
  }

  /** Gives the inputs of all records to a new engine, which compares what it does with what was recorded. */
  replay(records: readonly Uint8Array[]): Replayed {
    const size = records.reduce((sum, { length }) => sum + length, 0);
    if (size > most) return { is: "too large" };
    const input = JSON.stringify({ journal_text: new TextDecoder().decode(joined([...records])) });
    if (new TextEncoder().encode(input).length > most) return { is: "too large" };
    this.instance.call(op.firstEval + operationNames.indexOf("replay"), 0n, 0n, input, "the journal");
    const out = JSON.parse(this.instance.text()) as { records?: number; problems?: Problem[] };
    const problem = out.problems?.[0];
    if (!problem) return { is: "same", records: out.records ?? 0 };
    if (problem.code === "journal_diverged") return { is: "other", record: problem.args?.record ?? 0 };
    return { is: "broken", code: problem.code };
  }
}
