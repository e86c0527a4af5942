import { load } from "../../dist/index.js";
import { runKit, type Held, type Kit } from "./kit.ts";

/** The result of each kit, by its file. */
async function run(): Promise<Record<string, Held>> {
  const kits = (await (await fetch("/kits.json")).json()) as Record<string, Kit>;
  const module = await load();
  const all: Record<string, Held> = {};
  for (const [name, kit] of Object.entries(kits)) all[name] = await runKit(kit, module);
  return all;
}

(window as unknown as { kits: Promise<Record<string, Held>> }).kits = run();
