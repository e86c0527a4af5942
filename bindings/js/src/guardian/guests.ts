import type { Configuration } from "../configuration.ts";
import type { Engine } from "../engine.ts";
import { InputError } from "../fault.ts";
import type { Consult, Consulted, Problem } from "../contract.ts";
import type { GuardianData } from "./data.ts";
import { settingsFuel } from "./evaluation.ts";
import type { GuardianPermit } from "./permit.ts";
import { consulted, type Guest } from "./guest.ts";

/** The guests a host holds, and the data documents that they read, by digest. */
export class Guests {
  readonly #held: Map<string, Guest>;

  readonly #data: Map<string, GuardianData>;

  constructor(guests: Iterable<Guest> = [], data: Iterable<GuardianData> = []) {
    this.#data = new Map(Array.from(data, (document) => [document.digest, document]));
    this.#held = new Map(Array.from(guests, (guest) => [guest.digest, guest]));
  }

  /** The guest's own answer to a consult; undefined when it is not held, or the host's to ask. */
  answer(effect: Consult): Consulted | undefined {
    const guest = effect.host ? undefined : this.#held.get(effect.digest ?? "");
    return guest && consulted(effect, guest.ask(effect, this.#data.get(effect.data_digest ?? "")));
  }

  /**
   * The problems that the guests find in a configuration: a permit must declare what the module declares, and the
   * module must take the settings. The engine reports everything else that is wrong with it.
   */
  misfits(engine: Engine, config: Configuration | string): Problem[] {
    const { guardians } = typeof config === "string" ? (JSON.parse(config) as Configuration) : config;
    if (!Array.isArray(guardians)) return [];
    return guardians.flatMap((permit, i) =>
      this.#misfit(engine, permit).map((p) => ({ ...p, pointer: `/guardians/${i}${p.pointer}`,
        args: { guardian: permit.name, ...p.args } })));
  }

  /** Refuses a configuration, which is named so, that the guests have something against. */
  fit(engine: Engine, config: Configuration | string, name: string): void {
    const problems = this.misfits(engine, config);
    if (problems.length > 0) throw new InputError(name, problems);
  }

  #misfit(engine: Engine, permit: GuardianPermit): Problem[] {
    const guest = this.#held.get(permit.digest ?? "");
    if (!guest) return [];
    const { phases = [], reads = [], codes = [] } = permit.declared ?? {};
    const same = sameSet(phases, guest.manifest.phases) && sameSet(reads, guest.manifest.reads) &&
      sameList(codes, guest.manifest.codes ?? []);
    if (!same) return [{ code: "guardian_declared_wrong", pointer: "/declared" }];
    if (guest.description.wasi && !permit.wasi) return [{ code: "guardian_wasi", pointer: "/wasi" }];
    const misread = this.#misread(guest, permit.data_digest);
    if (misread) return [{ ...misread, pointer: "/data_digest" }];
    const data = this.#data.get(permit.data_digest ?? "");
    const permitted = { ...permit, fuel: settingsFuel(permit.fuel ?? 0, data) };
    const said = guest.checkSettings(canonical(engine, permit.settings ?? {}), permitted, data);
    const problems = said.output === undefined ? undefined : complaints(engine, said.output);
    return problems ?? [{ code: "guardian_settings_unread", pointer: "/settings",
      args: { fault: said.fault ?? "bad_verdict" } }];
  }

  /** The faults of the data document that a permit names. */
  #misread(guest: Guest, digest: string | undefined): Pick<Problem, "code" | "args"> | undefined {
    const { data } = guest.manifest;
    if (data !== undefined && digest === undefined) return { code: "guardian_data_missing", args: { data } };
    if (data === undefined && digest !== undefined) return { code: "guardian_data_undeclared" };
    if (digest !== undefined && !this.#data.has(digest)) return { code: "guardian_data_unheld", args: { digest } };
    return undefined;
  }
}

/** The order of codes counts where the guest is shown a secret. */
const sameList = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((x, i) => x === b[i]);

const sameSet = (a: readonly string[], b: readonly string[]) => a.every((x) => b.includes(x)) &&
  b.every((x) => a.includes(x));

/** As a question spells it. */
function canonical(engine: Engine, settings: object): string {
  return engine.evalText("parse", JSON.stringify({ document: settings })).slice('{"ok":true,"canonical":'.length, -1);
}

// The faults that a guest may find in its settings, and bytes of one message.
const most = 64;
const mostBytes = 500;

/**
 * Reads `{"v":1,"problems":[{"pointer","message"}…]}` and nothing else: half an answer must not count as a whole one.
 */
function complaints(engine: Engine, output: string): Problem[] | undefined {
  if ("problems" in engine.eval("parse", { document_text: output, limits: { depth: 8 } })) return undefined;
  const said: unknown = JSON.parse(output);
  if (!only(said, ["v", "problems"]) || said["v"] !== 1 || !Array.isArray(said["problems"]) ||
    said["problems"].length > most) return undefined;
  const problems: Problem[] = [];
  for (const p of said["problems"] as unknown[]) {
    if (!only(p, ["pointer", "message"])) return undefined;
    const { pointer = "", message } = p;
    if (typeof pointer !== "string" || !/^($|\/)/.test(pointer) || pointer.length > 512) return undefined;
    if (typeof message !== "string" || message === "" ||
      new TextEncoder().encode(message).length > mostBytes) return undefined;
    problems.push({ code: "guardian_settings", pointer: `/settings${pointer}`, args: { message } });
  }
  return problems;
}

function only(value: unknown, names: readonly string[]): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.keys(value).every((name) => names.includes(name));
}
