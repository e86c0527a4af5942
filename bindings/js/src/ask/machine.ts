import type { Asking, AskingConfiguration, Look } from "../asking.ts";
import type { AskingEffect, AskingEvent, Settled } from "../asking-event.ts";
import { objectEnd } from "../effect.ts";
import type { Engine } from "../engine.ts";
import { InputError } from "../fault.ts";
import type { Journal } from "../host.ts";
import type { Mode } from "../question.ts";
import { StoreError, type Change, type NewEntry, type Store } from "../store/store.ts";
import { PrincipalError, StoreFailure } from "./errors.ts";
import type { Run } from "./run.ts";

/** The facts about a session's client that any process must know. */
export interface Client {
  principal: string;
  version: string;
  declared: readonly Mode[];
  requests: boolean;
}

/** The machine of a session, here alone or in a store. Its methods are called one at a time. */
export interface Held {
  readonly client: Client;
  /** When the machine wants a tick; 0 never. */
  readonly due: number;
  /** The machine as it was last; undefined before anything was asked. */
  readonly last: Asking | undefined;
  /** Steps the machine, and resolves with what the host performs. A run is told of first. */
  step(event: AskingEvent | undefined, run?: Run): Promise<AskingEffect[]>;
  /** The effects that the host has missed because another process stepped the machine. */
  look(given: (machine: Asking) => Look): Promise<AskingEffect[]>;
  /** The machine, with what other processes have committed. */
  known(): Promise<Asking | undefined>;
  release(): void;
}

/** The session is in the store no more, or nothing was asked in it so far. */
export class Gone extends Error {}

/** Whether a call is known and runs. No question is at the position that this looks at. */
export const runs = (machine: Asking, call: string): boolean =>
  !machine.look({ waits: [{ call, position: 1 << 20 }] }).some(({ effect }) => effect === "settle");

interface SavedCall {
  call: string;
  method?: string;
  target?: string;
  running?: boolean;
  interrupted?: boolean;
  answers?: { position?: number; digest: string; value?: unknown }[];
}

function calls(machine: Asking): SavedCall[] {
  try {
    return (JSON.parse(machine.save()) as { calls?: SavedCall[] }).calls ?? [];
  } catch (error) {
    if (error instanceof InputError) return []; // it is closed
    throw error;
  }
}

/** Whether a call of this target may go on with one that was interrupted. */
export const awaits = (machine: Asking, method: string, target: string): boolean =>
  calls(machine).some(({ running, interrupted, ...call }) =>
    (!running || interrupted) && call.method === method && call.target === target);

/** The JSON text of the value that a call keeps at a position under a key. */
export async function valueOf(
  machine: Asking, call: string, position: number, key: string,
): Promise<string | undefined> {
  const all = calls(machine).find((one) => one.call === call)?.answers ?? [];
  const sum = await crypto.subtle.digest("SHA-256", encoder.encode(JSON.stringify({ once: key })));
  const digest = [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const found = all.find((one) => (one.position ?? 0) === position && one.digest === digest && "value" in one);
  return found && JSON.stringify(found.value);
}

const dueIn = (effects: readonly AskingEffect[], before: number) =>
  effects.reduce((due, effect) => (effect.effect === "wake" ? effect.at : due), before);

const advance = (machine: Asking, event: AskingEvent | undefined, run: Run | undefined): AskingEffect[] =>
  run ? run.advance(machine, event) : event ? machine.step(event) : [];

/** A machine of this process. It is made when a run first asks. */
export class Own implements Held {
  due = 0;
  last: Asking | undefined;
  readonly #engine: Engine;
  readonly #config: AskingConfiguration;
  readonly #journal: Journal | undefined;

  constructor(engine: Engine, readonly client: Client, config: AskingConfiguration, journal?: Journal) {
    this.#engine = engine;
    this.#config = config;
    this.#journal = journal;
  }

  async step(event: AskingEvent | undefined, run?: Run): Promise<AskingEffect[]> {
    const beginning: AskingEffect[] = [];
    if (!this.last) {
      if (!run) throw new Gone();
      this.last = this.#engine.asking(this.#config);
      beginning.push(...this.last.beginning);
    }
    const effects = [...beginning, ...advance(this.last, event, run)];
    this.due = dueIn(effects, this.due);
    for (const effect of effects) if (effect.effect === "append") await this.#journal?.append(effect.record);
    return effects;
  }

  async look(given: (machine: Asking) => Look): Promise<AskingEffect[]> {
    return this.last?.look(given(this.last)) ?? [];
  }

  async known(): Promise<Asking | undefined> {
    return this.last;
  }

  release(): void {
    this.last?.close();
  }
}

/** A session at rest, as every language writes it. */
interface Kept {
  client: { principal?: string; version: string; form?: boolean; url?: boolean; requests?: boolean };
  /** As it was written: its numbers may be larger than those of this language. */
  machine: string;
  /** The names of the last commits, the newest at the end. */
  commits: string[];
}

const head = '{"client":';
const before = ',"machine":';

function readKept(text: string): Kept {
  const end = objectEnd(text, head.length);
  const machine = text.slice(end + before.length, objectEnd(text, end + before.length));
  if (!text.startsWith(before, end)) throw new SyntaxError("the session is damaged");
  const rest = JSON.parse(text.slice(0, end) + text.slice(end + before.length + machine.length)) as Kept;
  return { ...rest, machine };
}

/** The part of its asker that a machine in a store uses. */
export interface StoreHost {
  engine: Engine;
  store: Store;
  server: string;
  /** Milliseconds that the store keeps journal and history. */
  keep: number;
  journal?: Journal;
  config(name: string, client: Client): AskingConfiguration;
  /** The host's part of the session, when this is its machine. */
  looks(machine: Asking): Look;
}

/** A session in which nothing happens is kept for so many milliseconds. A question can be open for a week. */
const sessionLife = 8 * 24 * 3600 * 1000;
const mostConflicts = 100;
/** How many commits a session knows by name. A commit is looked for a moment after it was made. */
const mostCommits = 8;

/**
 * A machine in a store. It is made when a run first asks. A step is a transaction: the effects happen only after the
 * commit, and after a conflict the machine is loaded and steps again. A failure leaves it open whether the commit
 * counts, so the machine is then loaded again before it decides anything.
 */
export class Stored implements Held {
  due = 0;
  readonly #host: StoreHost;
  readonly #name: string;
  #client: Client | undefined;
  #machine: Asking | undefined;
  #fresh = false;
  #version = 0;
  #commits: readonly string[] = [];
  #carried: readonly AskingEffect[] = [];

  private constructor(host: StoreHost, name: string, client?: Client) {
    this.#host = host;
    this.#name = name;
    this.#client = client;
  }

  /** A session that begins. */
  static begin(host: StoreHost, name: string, client: Client): Stored {
    const stored = new Stored(host, name, client);
    stored.#fresh = true;
    return stored;
  }

  /** A session in the store, or undefined. */
  static async find(host: StoreHost, name: string): Promise<Stored | undefined> {
    const stored = new Stored(host, name);
    try {
      await stored.#load();
      return stored;
    } catch (error) {
      if (error instanceof Gone) return undefined;
      throw error;
    }
  }

  get client(): Client {
    return this.#client!;
  }

  get last(): Asking | undefined {
    return this.#machine;
  }

  async step(event: AskingEvent | undefined, run?: Run): Promise<AskingEffect[]> {
    for (let tried = 0; tried < mostConflicts; tried++) {
      if (this.#fresh) {
        if (!run) throw new Gone();
        this.#take(this.#host.engine.asking(this.#host.config(this.#name, this.client)));
        this.#fresh = false;
      }
      const missed = this.#machine ? [] : await this.#load();
      const effects = [...this.#carried, ...advance(this.#machine!, event, run)];
      this.#carried = [];
      this.due = dueIn(effects, this.due);
      const commit = crypto.randomUUID();
      try {
        await this.#commit(commit, effects);
      } catch (error) {
        // Also a conflict may be with this commit itself, when a client of the store sent it twice. Another process may
        // have committed since, so the machine is loaded again before the next step.
        const saved = await this.#read().catch(() => undefined);
        this.release();
        if (!saved?.kept.commits.includes(commit)) {
          if (error instanceof StoreError && error.code === "conflict") continue;
          throw new StoreFailure(error);
        }
        effects.push(...(await this.#load().catch(() => [])));
      }
      for (const effect of effects) if (effect.effect === "append") await this.#host.journal?.append(effect.record);
      return [...missed, ...effects];
    }
    throw new StoreFailure(new Error(`${mostConflicts} conflicts`));
  }

  async look(given: (machine: Asking) => Look): Promise<AskingEffect[]> {
    const machine = await this.known();
    return machine?.look(given(machine)) ?? [];
  }

  async known(): Promise<Asking | undefined> {
    if (!this.#fresh && (this.#version > 0 || !this.#machine)) await this.#load();
    return this.#machine;
  }

  release(): void {
    this.#machine?.close();
    this.#machine = undefined;
  }

  async #read() {
    try {
      const saved = await this.#host.store.load(this.#name);
      return saved && { version: saved.version, kept: readKept(decoder.decode(saved.state)) };
    } catch (error) {
      throw new StoreFailure(error);
    }
  }

  /** Makes the machine from the last commit, if it is not that already. It resolves with what the host has missed. */
  async #load(): Promise<AskingEffect[]> {
    const saved = await this.#read();
    if (!saved) throw new Gone();
    const { client, machine, commits } = saved.kept;
    if (this.#machine && saved.version === this.#version) return [];
    const { principal = "", version, form, url, requests = false } = client;
    // Somebody else may have opened a session with this name at the same time.
    if (this.#client && this.#version === 0 && this.#client.principal !== principal) throw new PrincipalError();
    const declared: Mode[] = [...(form ? (["form"] as const) : []), ...(url ? (["url"] as const) : [])];
    this.#client ??= { principal, version, declared, requests };
    this.release();
    const config = this.#host.config(this.#name, { principal, version, declared, requests });
    this.#take(this.#host.engine.asking(config, { state: machine }));
    this.#version = saved.version;
    this.#commits = commits;
    return this.#machine!.look(this.#host.looks(this.#machine!));
  }

  #take(machine: Asking): void {
    this.#machine = machine;
    this.#carried = machine.beginning;
    this.due = dueIn(machine.beginning, 0);
  }

  async #commit(commit: string, effects: readonly AskingEffect[]): Promise<void> {
    const now = Date.now();
    const state = this.#state();
    if (state === undefined && this.#version === 0) return; // it was closed before anything was stored
    const { principal, version, declared, requests } = this.client;
    const client = {
      ...(principal && { principal }), version, ...(declared.includes("form") && { form: true }),
      ...(declared.includes("url") && { url: true }), ...(requests && { requests }),
    };
    const commits = [...this.#commits, commit].slice(-mostCommits);
    const text = `${head}${JSON.stringify(client)}${before}${state},"commits":${JSON.stringify(commits)}}`;
    const change: Change = {
      session: this.#name, from: this.#version, now, next: this.due, keep: now + this.#host.keep,
      expires: now + sessionLife,
      state: state === undefined ? state : encoder.encode(text),
      records: effects.flatMap((effect) => (effect.effect === "append" ? [encoder.encode(effect.record)] : [])),
      entries: effects.flatMap((effect) =>
        effect.effect === "settle" && effect.id && !effect.replayed ? [this.#entry(effect, now)] : []),
    };
    this.#version = await this.#host.store.commit(change);
    this.#commits = commits;
  }

  /** The state, or undefined for a session that is closed. */
  #state(): string | undefined {
    try {
      return this.#machine!.save();
    } catch (error) {
      if (error instanceof InputError) return undefined;
      throw error;
    }
  }

  /** An entry of the history, without the answer: that belongs to the tool. */
  #entry({ content: _, target, message, ...settle }: Settled, at: number): NewEntry {
    const { id = "", outcome } = settle;
    const body = encoder.encode(JSON.stringify(settle));
    return { id, at, server: this.#host.server, tool: target ?? "", outcome, text: message ?? "", body };
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
