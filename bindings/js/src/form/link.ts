import { html, nothing, type TemplateResult } from "lit";
import { say } from "./context.ts";
import { spelled } from "./plain.ts";
import type { Finding } from "./question.ts";
import type { Strings } from "./strings.ts";

/** An address, split around its host. The three parts joined give the address again. */
export interface Address {
  before: string;
  /** "" if the address can be read in more than one way. Then no part of it is shown as the place where it leads. */
  host: string;
  after: string;
  /** The host in ASCII, as it is looked up. */
  ascii: string;
  /** Whether the address can be opened: only https and http addresses can. */
  canOpen: boolean;
}

export function readAddress(text: string): Address {
  const address: Address = { before: text, host: "", after: "", ascii: "", canOpen: false };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return address;
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return address;
  address.canOpen = true;
  const parts = /^(https?:\/\/(?:[^/?#\\@]*@)?)([^/?#\\@]+?)((?::\d*)?(?:[/?#][^\\]*)?)$/i.exec(text);
  if (parts === null || /[\u0000-\u0020\u007f-\u00a0]/.test(text)) return address;
  const [, before, host, after] = parts as unknown as [string, string, string, string];
  let same = "";
  try {
    same = new URL(`https://${host}/`).hostname;
  } catch {
    return address;
  }
  return same === url.hostname ? { before, host, after, ascii: url.hostname, canOpen: true } : address;
}

/** Draws the address that a person is asked to open: complete, in a fixed-width font, its host in bold, and no link. */
export function drawAddress(strings: Strings, address: Address, findings: readonly Finding[]): TemplateResult {
  const { before, host, after, ascii } = address;
  const other = otherForm(findings);
  return html`<div class="address" part="address">
    <div class="hint" id="opens">${say(strings, "opens")}</div>
    <code class="url" part="url" dir="ltr" translate="no" tabindex="0" role="group" aria-labelledby="opens">${
      spelled(before, true)}${host === "" ? nothing : html`<strong part="host">${spelled(host, true)}</strong>`}${
      spelled(after, true)}</code>
    ${host !== "" && ascii !== host.toLowerCase() ? form(say(strings, "hostAscii"), ascii) : nothing}
    ${other === undefined ? nothing : form(say(strings, "hostUnicode"), other)}
    ${address.canOpen ? nothing : html`<div class="problem">${say(strings, "badUrl")}</div>`}
  </div>`;
}

function form(label: string, host: string): TemplateResult {
  return html`<div class="hint">${label} <code dir="ltr" translate="no">${spelled(host, true)}</code></div>`;
}

/** The Unicode form of a punycode host, from the engine's finding. */
function otherForm(findings: readonly Finding[]): string | undefined {
  const unicode = findings.find((finding) => finding.code === "url_punycode")?.args?.["unicode"];
  return typeof unicode === "string" ? unicode : undefined;
}
