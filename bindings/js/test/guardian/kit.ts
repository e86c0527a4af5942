// Runs the kit of plugins/tck here: the guests, questions and answers that every host is held to. Byte for byte, and
// fuel for fuel.
import { Guest, GuardianData, InputError } from "../../dist/index.js";

/** A file of cases with everything it names in it. */
export interface Kit {
  modules: { module: string; bytes: string; digest: string; wasi?: boolean; refused?: string }[];
  cases: {
    case: string; module: string; call: "evaluate" | "check_settings"; text: string; pad?: number; fuel: number;
    times?: number; data?: string; data_size?: number; output?: string; fault?: string; used: number;
  }[];
}

export interface Held {
  count: number;
  differences: string[];
}

/** Puts every case to guests that are read by `module`. */
export async function runKit(kit: Kit, module?: WebAssembly.Module): Promise<Held> {
  const differences: string[] = [];
  const differ = (name: string, got: unknown, want: unknown) => {
    if (JSON.stringify(got) !== JSON.stringify(want)) {
      differences.push(`${name}\n got ${JSON.stringify(got)}\nwant ${JSON.stringify(want)}`);
    }
  };
  const guests = new Map<string, Guest>();
  for (const { module: name, bytes, digest, wasi, refused } of kit.modules) {
    const read = await Guest.load(Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)), module ? { module } : {})
      .catch((error: unknown) => error);
    if (read instanceof Guest) guests.set(name, read);
    else if (!(read instanceof InputError)) throw read;
    const unpermitted = read instanceof Guest && read.description.wasi && !wasi;
    const why = read instanceof InputError ? read.problems[0]!.code : unpermitted ? "wasi_not_granted" : undefined;
    differ(name, why ?? (read as Guest).digest, refused ?? digest);
  }
  for (const one of kit.cases) {
    const wasi = kit.modules.find((m) => m.module === one.module)!.wasi ?? false;
    const guest = guests.get(one.module)!;
    const want = { output: one.output, fault: one.fault, used: one.used };
    const data = one.data === undefined ? undefined : await repeated(one.data, one.data_size ?? 0, module);
    for (let i = 0; i < (one.times ?? 2); i++) {
      const permitted = { fuel: one.fuel, wasi };
      const document = one.text.padEnd(one.pad ?? 0);
      const { output, fault, fuel } =
        one.call === "evaluate"
          ? guest.evaluate(document, permitted, data)
          : guest.checkSettings(document, permitted, data);
      differ(one.case, { output, fault, used: fuel }, want);
    }
  }
  return { count: kit.modules.length + kit.cases.length, differences };
}

/** A text repeated up to a size, as a data document. */
function repeated(text: string, size: number, module?: WebAssembly.Module): Promise<GuardianData> {
  const unit = new TextEncoder().encode(text);
  const whole = Uint8Array.from({ length: size }, (_, i) => unit[i % unit.length]!);
  return GuardianData.load(whole, module ? { module } : {});
}
