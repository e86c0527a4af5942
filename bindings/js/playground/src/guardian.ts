import { html, nothing, type TemplateResult } from "lit";
import { defaultFuel } from "../../src/guardian/evaluation.ts";
import { Guest, InputError, type Problem } from "../../src/index.ts";

/** A guardian's module that the visitor added, and the text of its permit. */
export interface Held {
  guest: Guest;
  file: string;
  bytes: Uint8Array;
  permit: string;
}

/** A guardian in a share link. */
export interface Linked {
  file: string;
  permit: string;
  /** The module in base64. */
  module: string;
}

/** The most bytes of modules in a link: chats and mail cut longer addresses. */
const mostShared = 32 << 10;

/** The guardians that fit into a link, and those that are too large for it. */
export function shared(guardians: readonly Held[]): { fit: Held[]; left: Held[] } {
  let room = mostShared;
  const fits = ({ bytes }: Held) => bytes.length <= room && (room -= bytes.length) >= 0;
  const fit = guardians.filter(fits);
  return { fit, left: guardians.filter((one) => !fit.includes(one)) };
}

/** Reads the guardians of a link, each under its permit. One that cannot be read is told. */
export async function heldOf(linked: readonly Linked[], module: WebAssembly.Module) {
  const guardians: Held[] = [];
  let misread: { file: string; problems: Problem[] } | undefined;
  for (const { file, permit, module: text } of linked) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const one = await held(new File([bytes], file), module);
    if (Array.isArray(one)) misread = { file, problems: one };
    else guardians.push({ ...one, permit });
  }
  return { guardians, misread };
}

/** Reads a module that the visitor dropped. It returns problems if the module is not a guardian. */
export async function held(file: File, module: WebAssembly.Module): Promise<Held | Problem[]> {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const guest = await Guest.load(bytes, { module });
    const { name, digest, declared, ...more } = guest.permit();
    // The members that an operator would change come first.
    const permit = { name, reads: guest.manifest.reads, settings: {}, fuel: defaultFuel, ...more, digest, declared };
    return { guest, file: file.name, bytes, permit: JSON.stringify(permit, undefined, 2) };
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

/** The permits as the JSON of a configuration. A permit that is not JSON makes the configuration unreadable. */
export const permits = (guardians: readonly Held[]) => `[${guardians.map((g) => g.permit).join(",")}]`;

const kib = (bytes: number) =>
  (bytes < 10_000 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(bytes < 102_400 ? 1 : 0)} KiB`);
const pages = (least: number, most: number) => (least === most ? `${least} pages` : `${least} to ${most} pages`);

/** Draws a guest's description of itself, and its size. Its texts are untrusted and are drawn as text. */
export function card({ guest, file }: Held): TemplateResult {
  const { manifest: m, description: { abi, sizes } } = guest;
  const row = (name: string, value: unknown) =>
    (value === undefined || value === "" ? nothing : html`<dt>${name}</dt><dd>${value}</dd>`);
  const codes = (list: readonly string[]) => list.map((one) => html`<code>${one}</code> `);
  return html`<p class="named"><strong><bdi>${m.name}</bdi></strong>
      <span class="soft"><bdi>${m.version}</bdi> · ${file}</span></p>
    ${m.summary === undefined ? nothing : html`<p class="soft"><bdi>${m.summary}</bdi></p>`}
    <dl>
      ${row("Asked", codes(m.phases))}
      ${row("Wants to read", m.reads.length > 0 ? codes(m.reads) : "nothing")}
      ${row("Imports", guest.imports.length > 0 ? codes(guest.imports) : "nothing")}
      ${row("Weighs", `${kib(sizes.module)}, ${kib(sizes.metered)} metered; ${sizes.functions} functions, ` +
        `the longest ${kib(sizes.longest_body)}; memory ${pages(sizes.pages_least, sizes.pages_most)}`)}
      ${row("Built for", `guardian ABI ${abi >> 16}.${abi & 0xffff}`)}
      ${row("License", m.license)}
      ${row("Source", m.source)}
      ${row("SHA-256", html`<code class="digest">${guest.digest}</code>`)}
    </dl>`;
}
