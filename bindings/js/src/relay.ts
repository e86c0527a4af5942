import type { Asker, Role } from "./codes.ts";
import type { Configuration } from "./configuration.ts";
import { readEffects } from "./effect.ts";
import type { End, Grant, Mode, RelayEffect, RelayEvent } from "./contract.ts";
import { optionMembers, stepInput, stepTime, type StepOptions, type Wrapped } from "./step-options.ts";
import { most, op, type Instance } from "./instance.ts";
import { Machine } from "./machine.ts";

/** The configuration of a connection. Every member except `server` has a default. */
export interface RelayConfiguration {
  /** The name by which policy and people know the server. It is never the name that the server gives itself. */
  server: string;
  /**
   * The protocol of the ends; left out, `mcp`. With `acp`, the agent has the place of the server, and with `codex` the
   * app-server.
   */
  protocol?: "mcp" | "acp" | "codex";
  /** Whether version 2 of ACP is read too; left out, true. For `acp` only. */
  acp_v2?: boolean;
  /** Whether the host is a proxy of a chain, with a conductor as its only peer, the client; for `acp` only. */
  acp_chain?: boolean;
  /** The engine's configuration; left out, the one that the engine was opened with. A string is its exact JSON text. */
  config?: Configuration | string;
  /**
   * The server's program and arguments, or the origin of its URL. A grant with scope `always` answers only a server
   * with the same identity.
   */
  identity?: string;
  /** The owner of the session. Answers must come from the same principal. */
  principal?: string;
  /** The host's place on the connection; left out, `between`. */
  role?: Role;
  /**
   * The side that is asked; left out, the `host`, or the `client` if the role is `server`. `either` is the client in
   * the modes that it declared, and else the host.
   */
  ask?: Asker;
  /** The modes that the host can show to a person; left out, none. */
  modes?: readonly Mode[];
  /** Whether `either` declares forms and pages also if neither side can show any, so that policy can answer. */
  policy_alone?: boolean;
  /** Whether every `tools/call` of the client waits until the engine accepts it. */
  hold_calls?: boolean;
  /** The result of an earlier handshake. Needed if the host gives the machine only questions and no handshake. */
  session?: { version: string; declared: readonly Mode[] };
  /** Milliseconds between progress notifications while a call waits for an answer; 0 for none. */
  keep_alive_ms?: number;
  /** Milliseconds that the client may take for an answer; left out, 10 minutes. 0 for no end. */
  answer_within_ms?: number;
  /** Milliseconds that a call waits for a visited page to be completed. */
  completion_wait_ms?: number;
  /** Milliseconds that a question may outlive the call it belongs to. */
  call_over_ms?: number;
  /** The most bytes of one message. */
  max_message?: number;
}

/** A longer string is encoded before it is measured. A UTF-16 unit takes at most three bytes. */
const long = Math.floor(most / 3);

/** The bytes of a message over the module's maximum that the machine gets, to find the id that it must answer. */
const beginning = 1 << 16;

/**
 * The machine of one connection between a client and a server. It decides what happens to every message, and contains
 * an engine for the questions. It lives in the instance of the engine that opened it, and ends with that instance.
 */
export class Relay extends Machine<RelayEffect> {
  /** See `Engine.relay`. */
  constructor(instance: Instance, { config, server = "", ...more }: RelayConfiguration, given: StepOptions) {
    const rest = JSON.stringify({ server, ...more }).slice(1);
    const relay = `"relay":{"config":${typeof config === "string" ? config : JSON.stringify(config ?? {})},${rest}`;
    super(instance, relay, given);
  }

  /**
   * Gives the machine one message as it was received, without its line end. Bytes are used unchanged. The machine
   * refuses a message over 64 MiB in the same way as one over `max_message`.
   */
  receive(from: End, message: string | Uint8Array, given: StepOptions = {}): RelayEffect[] {
    if (typeof message === "string" && message.length > long) message = new TextEncoder().encode(message);
    if (message.length > most)
      return this.step(
        { event: "received", from, cut: true },
        { ...given, message: text(message.slice(0, beginning)) },
      );
    if (given.random !== undefined) return this.step({ event: "received", from }, { ...given, message: text(message) });
    if (given.elapsed !== undefined) this.instance.elapsed(given.elapsed);
    this.instance.call(op[from], this.handle, stepTime(given), message, "the message");
    return readEffects<RelayEffect>(this.instance.text());
  }

  /**
   * Gives the machine one event, bare or wrapped. It throws an `InputError` for an event that cannot be read, which
   * changes nothing.
   */
  step(
    event: RelayEvent | (Wrapped<RelayEvent> & { message?: string }),
    given: StepOptions & { message?: string } = {},
  ): RelayEffect[] {
    const beside = given.message === undefined ? "" : `,"message":${JSON.stringify(given.message)}`;
    return this.put(stepInput(event, beside + optionMembers(given)), "the event", stepTime(given));
  }

  /** The grants that are in force now. */
  grants(): Grant[] {
    this.instance.call(op.step, this.handle, stepTime(), '{"list":"grants"}', "the list");
    return (JSON.parse(this.instance.text()) as { grants: Grant[] }).grants;
  }
}

const text = (message: string | Uint8Array) =>
  typeof message === "string" ? message : new TextDecoder().decode(message);
