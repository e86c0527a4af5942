import type { Effect } from "./effect.ts";
import type { Engine } from "./engine.ts";
import type { Event } from "./event.ts";

/** One request that is open. */
interface Open {
  session: string;
  id: string;
  ref: string;
}

/** Keeps what a new engine needs in order to go on where a broken one was: each session as it was after its last event. */
export class Keeper {
  readonly #states = new Map<string, string>();
  #configured: Event[] = [];

  /** Takes note of a step. */
  keep(engine: Engine, event: Event, effects: Effect[]): void {
    // A configuration with problems may still have tightened something, so those before it are kept as well.
    if (event.event === "configured") this.#configured = effects.some((e) => e.effect === "problem") ? [...this.#configured, event] : [event];
    const touched = new Set<string>();
    if ("session" in event) touched.add(event.session);
    for (const effect of effects) if ("session" in effect && effect.session !== undefined) touched.add(effect.session);
    if (event.event === "resumed") for (const s of sessionOf(event)) touched.add(s);
    for (const session of touched) {
      const state = engine.save(session);
      if (state === undefined) this.#states.delete(session);
      else this.#states.set(session, state);
    }
  }

  sessions(): string[] {
    return [...this.#states.keys()];
  }

  /** The events that bring a new engine to where the old one was. */
  events(): Event[] {
    const resumed = [...this.#states.values()].map((state): Event => ({ event: "resumed", state_text: state }));
    return [...this.#configured, ...resumed];
  }

  /** What is open, and was not settled in `effects`. */
  open(effects: Effect[]): Open[] {
    const settled = new Set(effects.flatMap((e) => (e.effect === "reply" ? [`${e.session} ${e.ref}`] : [])));
    const open: Open[] = [];
    for (const [session, text] of this.#states) {
      const state = JSON.parse(text) as { open: { id: string; state: string; asked: { ref: string }; joined?: { id: string; ref: string }[] }[] };
      for (const { id, state: stage, asked, joined = [] } of state.open) {
        if (stage === "awaiting") continue; // its reply has gone out
        open.push({ session, id, ref: asked.ref }, ...joined.map((j) => ({ session, id: j.id, ref: j.ref })));
      }
    }
    return open.filter(({ session, ref }) => !settled.has(`${session} ${ref}`));
  }
}

function sessionOf(event: Extract<Event, { event: "resumed" }>): string[] {
  const state = (event.state ?? JSON.parse(event.state_text ?? "{}")) as { opened?: { session?: string } };
  return state.opened?.session === undefined ? [] : [state.opened.session];
}
