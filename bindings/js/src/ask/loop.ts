import type { AskerMachine } from "../asker.ts";
import type { AskerEffect, AskerEvent, AskerReply, AskerSend, AskerWork, ToldEvent } from "../asker-event.ts";
import type { OpenPage } from "../contract.ts";
import { EngineFault } from "../fault.ts";
import { askHost, type Host, type Journal } from "../host.ts";
import { StoreError, type Store } from "../store/store.ts";

/** The surroundings of the loop. A machine with a store or a journal in its configuration needs that here. */
export interface Surroundings extends Pick<Host, "consult"> {
  machine: Pick<AskerMachine, "beginning" | "step">;
  /** Does an operation of the engine with the keys. */
  sealing(operation: "seal" | "unseal", given: object): object;
  store?: Store;
  journal?: Journal;
  opened?(page: OpenPage): void;
}

/** Sends the requests of somebody who waits to their client, and tells them by which id their flow is finished. */
export interface Carrier {
  send?: (request: AskerSend, signal: AbortSignal) => Promise<unknown>;
  visit?: ((id: string) => void | Promise<void>) | undefined;
  /** They wait no more. */
  signal?: AbortSignal | undefined;
}

/** Sends a notification with a call. */
export type Notify = (notification: { method: string; params: Record<string, unknown> }) => Promise<unknown>;

/** Milliseconds that one call of the store may take, and the sending of a notification. */
const storeWait = 10_000;
const noticeWait = 5_000;

/** The loop around the machine: it performs effects, and reports what came of them. All decisions are the machine's. */
export class Loop {
  /** How the clients of calls are notified, by the name of the call. */
  readonly notifies = new Map<string, Notify>();
  readonly #host: Surroundings;
  readonly #waits = new Map<string, Carrier & { resolve(reply: AskerReply): void; reject(why: unknown): void }>();
  readonly #sends = new Map<string, AbortController>();
  readonly #watches = new Map<string, AbortController>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Surroundings) {
    this.#host = host;
    for (const effect of host.machine.beginning) this.#perform(effect);
  }

  /** Gives the machine the event of somebody who waits, and resolves with the reply. */
  tell(event: ToldEvent, carrier: Carrier = {}): Promise<AskerReply> {
    const { signal } = carrier;
    const name = "ref" in event ? event.ref : event.call;
    const giveUp = () => this.#report(Promise.resolve({ event: "given_up", ref: name }));
    const visit = async (id?: string): Promise<void> => id === undefined ? id : carrier.visit?.(id);
    const reply = new Promise<AskerReply>((resolve, reject) => {
      const visited = (id: string) => visit(id).catch((error) => {
        giveUp();
        reject(error); // the handler hears it, and nobody is asked
        throw error;
      });
      this.#waits.set(name, { ...carrier, visit: visited, resolve, reject });
      try {
        this.step(event);
      } catch (error) {
        this.#waits.delete(name);
        reject(error);
      }
    });
    if (signal?.aborted) giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    return reply.then((said) => visit(said.visit).then(() => said))
      .finally(() => signal?.removeEventListener("abort", giveUp));
  }

  /** Gives the machine an event. No code of a user runs before this returns. */
  step(event: AskerEvent): void {
    let effects: AskerEffect[];
    try {
      effects = this.#host.machine.step(event);
    } catch (error) {
      if (error instanceof EngineFault) for (const wait of this.#waits.values()) wait.reject(error); // it is broken
      throw error;
    }
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: AskerEffect): void {
    switch (effect.effect) {
      case "reply":
        this.#waits.get(effect.to)?.resolve(effect);
        this.#waits.delete(effect.to);
        return;
      case "send": {
        const abort = new AbortController();
        this.#sends.set(effect.ref, abort);
        const answered = this.#carry(effect, abort.signal).finally(() => this.#sends.delete(effect.ref));
        return this.#report(answered, ({ code, message }) => ({
          event: "responded", ref: effect.ref, error: { code: Number.isInteger(code) ? code : -32603, message },
        }));
      }
      case "cancel_sent": {
        const sent = this.#sends.get(effect.ref);
        this.#sends.delete(effect.ref);
        return queueMicrotask(() => sent?.abort(new Error("the question is over")));
      }
      case "watch": {
        const over = new AbortController();
        this.#watches.set(effect.session, over);
        return void this.#watch(effect.session, over);
      }
      case "unwatch":
        this.#watches.get(effect.session)?.abort();
        return void this.#watches.delete(effect.session);
      case "page":
        return void Promise.resolve(effect).then((page) => this.#host.opened?.(page)).catch(() => {});
      case "wake":
        clearTimeout(this.#timer);
        if (effect.in === undefined) return;
        this.#timer = setTimeout(() => this.#report(Promise.resolve({ event: "ticked" })), effect.in);
        (this.#timer as { unref?(): void }).unref?.(); // a transport keeps the program running, a clock does not
        return;
      default:
        return this.#report(this.#work(effect), (error) => failed(effect, error));
    }
  }

  /** Gives the machine a result, or what it hears if there is none. */
  #report(done: Promise<AskerEvent>, failed?: (error: { code?: any; message: string }) => AskerEvent): void {
    done.then((event) => this.step(event))
      .catch((error: { code?: unknown; message?: string }) =>
        failed && this.step(failed({ code: error?.code, message: text(error?.message || error) })))
      .catch(() => {}); // the machine is broken, and all waits have heard of it
  }

  async #carry(request: AskerSend, signal: AbortSignal): Promise<AskerEvent> {
    const wait = await this.#waits.get(request.to);
    if (request.visit !== undefined) await wait?.visit?.(request.visit);
    if (!wait?.send) throw new Error("this call cannot carry requests to the client");
    return { event: "responded", ref: request.ref, result: await wait.send(request, signal) };
  }

  async #watch(session: string, over: AbortController): Promise<void> {
    const { signal } = over;
    const tell = (event: "watched" | "unwatched" | "hinted", version?: number) =>
      Promise.resolve().then(() => signal.aborted || this.step({ event, session, version } as AskerEvent))
        .catch(() => {});
    try {
      await undefined;
      const watch = this.#host.store!.watch(session, (version) => void tell("hinted", version));
      watch.then((stop) => signal.aborted ? stop() : signal.addEventListener("abort", stop), () => {});
      await soon(watch); // a client may wait without an end for a server that is away
      await tell("watched");
    } catch {
      await tell("unwatched");
      over.abort();
    }
  }

  async #work(effect: AskerWork): Promise<AskerEvent> {
    await undefined;
    const { journal, store } = this.#host as Required<Surroundings>;
    switch (effect.effect) {
      case "unseal":
      case "seal": {
        const { effect: operation, call, ...given } = effect;
        return { event: `${operation}ed`, call, said: this.#host.sealing(operation, given) };
      }
      case "progress": {
        const { call, method, params } = effect;
        await soon(Promise.resolve(this.notifies.get(call)?.({ method, params })), noticeWait);
        return { event: "progressed", call };
      }
      case "append":
        for (const record of effect.records) await journal.append(record);
        return { event: "appended", session: effect.session };
      case "consult":
        return { event: "consulted", session: effect.session, said: await askHost(this.#host, effect.ask) };
      case "load": {
        const { session } = effect;
        const saved = await soon(store.load(session));
        return saved
          ? { event: "loaded", session, version: saved.version, state: new TextDecoder().decode(saved.state) }
          : { event: "missing", session };
      }
      case "commit": {
        const { effect: _, state, records = [], history = [], keep_records, ...change } = effect;
        const entries = history.map((entry) => ({ ...entry, body: bytes(entry.body) }));
        const text = state === undefined ? {} : { state: bytes(state) };
        const kept = { records: records.map(bytes), keepRecords: keep_records, entries };
        await soon(store.commit({ ...change, ...text, ...kept }));
        return { event: "committed", session: change.session, version: change.version };
      }
      case "redeem": {
        const first = await soon(store.redeem(effect.id, effect.now, effect.until));
        return { event: "redeemed", call: effect.call, again: !first };
      }
      case "due":
        return { event: "found", sessions: await soon(store.due(effect.now, effect.skip ?? 0, effect.limit)) };
    }
  }
}

const encoder = new TextEncoder(), bytes = (text: string) => encoder.encode(text);
/** A text that the machine can read, also if a client or a driver has put half of a surrogate pair into its error. */
const text = (given: unknown) => new TextDecoder().decode(bytes(String(given)));

/** What a store resolves with, unless it takes too long. */
async function soon<T>(result: Promise<T>, wait = storeWait): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreError("unavailable", "no answer in time")), wait);
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

/** What the machine hears of work that failed. */
function failed(effect: AskerWork, { code, message: why }: { code?: unknown; message: string }): AskerEvent {
  const { session = "", call = "" } = effect as { session?: string; call?: string };
  const of = session ? { session } : call ? { call } : {};
  if (effect.effect === "progress") return { event: "progressed", call };
  if (effect.effect === "append") return { event: "appended", session, why };
  if (effect.effect === "seal" || effect.effect === "unseal")
    return { event: `${effect.effect}ed`, call, said: { problems: [{ code: why, pointer: "" }] } };
  if (code === "conflict") return { event: "conflicted", session };
  return { event: "store_failed", ...of, why, ...(code === "unavailable" && { away: true }) };
}
