import type { AskingConfiguration } from "../asking.ts";
import type { OpenPage } from "../asking-event.ts";
import type { Engine } from "../engine.ts";
import { checkName, skew } from "../store/store.ts";
import type { AskerOptions } from "./asker.ts";
import { PrincipalError, StoreFailure } from "./errors.ts";
import { Own, Stored, type Client, type Held, type StoreHost } from "./machine.ts";
import type { Client as Caller, Context, SdkServer } from "./sdk.ts";
import { Session, separator } from "./session.ts";

/** How often a process looks for sessions that nobody else has stepped in time, in milliseconds. */
const sweepEvery = 5000;
const day = 24 * 3600 * 1000;

/** The sessions of an asker: those of this process, and those in its store. */
export class Sessions {
  readonly #engine: Engine;
  readonly #options: AskerOptions;
  readonly #fallback: string;
  readonly #servers = new WeakMap<SdkServer, Map<string, Session>>();
  /** Of clients without sessions whose person is known. */
  readonly #people = new Map<string, Session>();
  readonly #named = new Map<string, Session>();
  readonly #redeemed = new Map<string, number>();
  #sweeper: ReturnType<typeof setInterval> | undefined;

  constructor(engine: Engine, options: AskerOptions, fallback: string) {
    this.#engine = engine;
    this.#options = options;
    this.#fallback = fallback;
    if (!options.store) return;
    this.#sweeper = setInterval(() => void this.sweep().catch(() => {}), sweepEvery);
    (this.#sweeper as { unref?(): void }).unref?.();
  }

  get all(): Session[] {
    return [...this.#named.values()];
  }

  /** An open session, here or in the store. */
  async find(name: string): Promise<Session | undefined> {
    const known = this.#named.get(name);
    if (known || !this.#options.store) return known;
    try {
      checkName(name);
    } catch {
      return undefined;
    }
    let session!: Session;
    const stored = await Stored.find(this.#storeHost((machine) => session?.looks(machine) ?? {}), name);
    const meanwhile = this.#named.get(name);
    if (meanwhile || !stored) {
      stored?.release();
      return meanwhile;
    }
    return (session = this.#add(stored, name, true));
  }

  /** The session of a client: of its server, or for one call of a client whose calls run in rounds. */
  async of(
    server: SdkServer, context: Context, caller: Caller, principal: string, kept: string | undefined,
  ): Promise<Session> {
    const { version, declared, requests } = caller;
    const client: Client = { principal, version, declared, requests };
    const key = JSON.stringify([version, declared, requests, principal]);
    // A server without sessions is made for one request. Only a principal tells whose calls belong together.
    const passing = !requests && !caller.rounds;
    const perCall = caller.rounds || (passing && principal === "");
    let sessions = passing ? this.#people : this.#servers.get(server);
    if (!sessions) this.#servers.set(server, (sessions = new Map()));
    const known = perCall || kept !== undefined ? undefined : sessions.get(key);
    if (known && !known.closed) return known;
    const shared = this.#options.store && !perCall && context.sessionId;
    const name = kept ?? (shared ? await this.#name(shared) : random());
    const found = await this.find(name);
    if (found && found.client.principal !== principal) throw new PrincipalError(); // an id proves nobody
    const session = found ?? this.#begin(name, client, !requests || kept !== undefined);
    if (!perCall && kept === undefined) sessions.set(key, session);
    return session;
  }

  /** Ends the sessions of a server whose client is gone. */
  gone(server: SdkServer): void {
    for (const session of this.#servers.get(server)?.values() ?? []) void session.close("session_closed");
  }

  /** Remembers that a state came back. False if it did before. */
  async redeem(id: string, expires: number): Promise<boolean> {
    const now = Date.now();
    if (this.#options.store) {
      try {
        return await this.#options.store.redeem(id, now, expires);
      } catch (error) {
        throw new StoreFailure(error);
      }
    }
    for (const [old, until] of this.#redeemed) if (until < now) this.#redeemed.delete(old);
    if (this.#redeemed.has(id)) return false;
    this.#redeemed.set(id, expires + skew);
    return true;
  }

  /** Lets time pass for sessions whose process is gone. */
  async sweep(): Promise<void> {
    const page = 100;
    for (let skip = 0, more = true; more; ) {
      const names = (await this.#options.store?.due(Date.now(), skip, page)) ?? [];
      for (const name of names) if (!(await this.#tick(name))) skip++; // it stays due
      more = names.length === page;
    }
  }

  async #tick(name: string): Promise<boolean> {
    try {
      const session = await this.find(name);
      await session?.using(() => session.do({ event: "ticked" }));
      return session !== undefined && session.due > Date.now();
    } catch {
      return false;
    }
  }

  /** Ends every session here. Those in a store stay there, for other processes. */
  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    const { store } = this.#options;
    await Promise.all(this.all.map((session) => (store ? session.depart() : session.close("shutdown"))));
  }

  #begin(name: string, client: Client, brief: boolean): Session {
    const { store, journal } = this.#options;
    let session!: Session;
    const held = store
      ? Stored.begin(this.#storeHost((machine) => session?.looks(machine) ?? {}), name, client)
      : new Own(this.#engine, client, this.#config(name, client), journal);
    return (session = this.#add(held, name, brief));
  }

  #add(held: Held, name: string, brief: boolean): Session {
    const { store, consult, page } = this.#options;
    const session = new Session(
      held,
      {
        ...(store && { store }),
        ...(consult && { consult }),
        page: (opened: OpenPage) => page?.opened?.(opened),
        over: (over) => this.#over(over),
      },
      name,
      brief,
    );
    this.#named.set(name, session);
    return session;
  }

  #over(session: Session): void {
    if (this.#named.get(session.name) === session) this.#named.delete(session.name);
    for (const [key, one] of this.#people) if (one === session) this.#people.delete(key);
  }

  #storeHost(looks: StoreHost["looks"]): StoreHost {
    const { store, journal, keep = 90 * day, server } = this.#options;
    return {
      engine: this.#engine, store: store!, server: server.name, keep, ...(journal && { journal }),
      config: (name, client) => this.#config(name, client), looks,
    };
  }

  /** Links and ids begin with the session's name, so that any process finds the session. */
  #config(name: string, { principal, version, declared, requests }: Client): AskingConfiguration {
    const { server, page, order, ttl, attempts, store } = this.#options;
    return {
      prefix: name + separator,
      server: server.name, version, declared, requests,
      ...(server.config && { config: server.config }),
      ...(principal && { principal }),
      ...(page && { page: page.base + name + separator }),
      ...(page?.only && { page_only: page.only }),
      ...(this.#fallback && { fallback: this.#fallback }),
      ...(order && { order }),
      ...(ttl !== undefined && { ttl_ms: ttl }),
      ...(attempts !== undefined && { attempts }),
      ...(store && { history: true }),
    };
  }

  /** The name of a session in links, ids and the store. It does not tell the name that the transport gives it. */
  async #name(session: string): Promise<string> {
    const whole = JSON.stringify(["elicit session", this.#options.server.name, session]);
    const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(whole));
    return hex(new Uint8Array(sum).subarray(0, 16));
  }
}

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A name that nobody guesses. */
export const random = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));
