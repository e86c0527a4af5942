import { canHash, verify, type Chain } from "./chain.ts";
import type { Journal, Log } from "./data.ts";
import { at, counted, make } from "./draw.ts";
import { Engine, type Replayed } from "./replay.ts";

/** The result of this browser for one journal. */
interface Found {
  chain?: Chain;
  replayed?: Replayed;
}

const say = (text: string) => (at("progress").textContent = text);

/** Lets the browser draw. */
const breathe = () => new Promise((resolve) => setTimeout(resolve));

/** Verifies every journal and draws what came of it. */
export async function verification(log: Log, records: readonly Uint8Array[][], module: Element | null): Promise<void> {
  const found: Found[] = log.journals.map(() => ({}));
  const gaps = log.about.filters !== null;
  const all = records.reduce((sum, { length }) => sum + length, 0);
  let before = 0;
  if (canHash()) {
    for (const [i, lines] of records.entries()) {
      found[i]!.chain = await verify(lines, gaps, (done) =>
        say(`Verifying: ${(before + done).toLocaleString("en")} of ${counted(all, "record")} …`));
      before += lines.length;
    }
  }
  let engine: Engine | undefined;
  let fault = "";
  if (module && canHash() && !gaps) {
    say("Starting the engine …");
    await breathe();
    try {
      engine = await Engine.start(module);
      for (const [i, lines] of records.entries()) {
        say(`Replaying journal ${i + 1} of ${records.length} …`);
        await breathe();
        if (lines.length > 0) found[i]!.replayed = engine.replay(lines);
      }
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
    }
  }
  say("");
  at("verification").append(
    ...verdict(log, found), ...journals(log, found),
    ...methods(log, engine, module !== null, fault), compare(log, records));
}

/** Whether a journal does not hold, by the browser or by the command. */
const isBroken = ({ problem }: Journal, { chain, replayed }: Found) =>
  problem !== undefined || chain?.problem !== undefined || replayed?.is === "broken";

function verdict(log: Log, found: Found[]): HTMLElement[] {
  const broken = log.journals.filter((journal, i) => isBroken(journal, found[i]!)).length;
  const n = found.reduce((sum, { chain }) => sum + (chain?.held ?? 0), 0);
  let text = `The records hold: this browser computed the hash of each of ${counted(n, "record")}` +
    `${log.about.filters ? "" : ", and each carries the hash of the one before"}.`;
  let kind = "good";
  if (broken > 0) {
    kind = "bad";
    text = `${broken} of ${counted(log.journals.length, "journal")} ${broken === 1 ? "does" : "do"} not hold.`;
  } else if (!canHash()) {
    kind = "unknown";
    text = "Not verified: this browser gives this page no SHA-256. Open the file itself, or use elicit log.";
  } else if (log.journals.length === 0) {
    kind = "unknown";
    text = "There is no journal in this page.";
  }
  return [make("p", { class: `verdict ${kind}` }, text)];
}

function journals(log: Log, found: Found[]): HTMLElement[] {
  if (log.journals.length === 0) return [];
  const row = (journal: Journal, { chain, replayed }: Found) => make("tr", {},
    make("th", { scope: "row" }, make("bdi", {}, journal.name)),
    make("td", {}, ...chainWords(log, journal, chain).map((text) => make("p", {}, text)),
      ...(replayed ? [make("p", {}, replayWords(replayed))] : []),
      make("p", {}, journal.ended ? "The last record closes the last session."
        : "No closing record: the run went on, or it was stopped, or records were cut from the end."),
      ...[journal.keyed, journal.problem && `The command stopped there: ${journal.problem}`]
        .filter((text) => text !== undefined && text !== "").map((text) => make("p", {}, text!)),
      make("p", { class: "hash" }, `head ${journal.head}`)));
  // A reader looks for the journals that do not hold.
  const both = log.journals.map((journal, i): [Journal, Found] => [journal, found[i]!]);
  const rows = [...both.filter((one) => isBroken(...one)), ...both.filter((one) => !isBroken(...one))]
    .map((one) => row(...one));
  const names = make("tr", {}, make("th", { scope: "col" }, "Journal"), make("th", { scope: "col" }, "What was found"));
  return [make("div", { class: "journals", tabindex: "0", role: "group", "aria-label": "Journals" },
    make("table", {}, make("thead", {}, names), make("tbody", {}, ...rows)))];
}

function chainWords({ about }: Log, journal: Journal, chain?: Chain): string[] {
  if (!chain) return ["Not verified here."];
  const held = `${counted(chain.held, "record")} ${chain.held === 1 ? "holds" : "hold"}`;
  if (chain.problem !== undefined) return [`${held}. Then the journal does not: ${chain.problem}.`];
  if (about.filters === null) {
    const same = chain.head === journal.head ? "" : " The head is not the one that the command found.";
    return [`${held}, in an unbroken chain.${same}`];
  }
  return [`${held}; ${chain.linked.toLocaleString("en")} of them directly after the one before. The page has ` +
    `${chain.held.toLocaleString("en")} of ${counted(journal.records, "record")}: it cannot show that the others ` +
    "hold."];
}

function replayWords(of: Replayed): string {
  switch (of.is) {
    case "same": return `The engine replayed ${counted(of.records, "record")} and made the same effects byte for byte.`;
    case "other": return `The engine of this page would have written record ${of.record} differently: ` +
      "another version wrote it, or no engine did.";
    case "broken": return `The engine refuses the journal: ${of.code}.`;
    case "too large": return "The engine did not replay it: it reads journals of about 3 MB in a page. " +
      "elicit replay reads it.";
  }
}

function methods(log: Log, engine: Engine | undefined, given: boolean, fault: string): HTMLElement[] {
  const texts = [
    "The chain was verified by the script of this page, with the browser's own SHA-256. The sentences and numbers " +
      "of the timeline were written by the command; “Record as it is” shows the bytes that were verified.",
    engine ? `The replay was done by the engine: a module with the SHA-256 ${engine.digest}. ` +
        "Compare it with the checksums of the release." : "",
    !given ? "This page has no engine, so nothing was replayed. elicit log --html with --module puts one into it." : "",
    given && log.about.filters !== null
      ? "The engine replays whole journals, and this page has only what the filters chose." : "",
    fault && `The engine could not be used: ${fault}`,
    "Whoever can change this file can change its script too. A page from somebody else proves nothing by itself: " +
      "run elicit log --head on the journal, with a hash that you kept.",
  ];
  return [make("details", {}, make("summary", {}, "What was verified, and by what"),
    ...texts.filter(Boolean).map((text) => make("p", {}, text)))];
}

/** A form that looks for a hash that the person has kept. */
function compare(log: Log, records: readonly Uint8Array[][]): HTMLElement {
  const input = make("input", { id: "kept", autocomplete: "off", spellcheck: "false", maxlength: "64" });
  const out = make("p", { role: "status" });
  const form = make("form", { class: "kept" }, make("label", { for: "kept" }, "A head that you kept"),
    input, make("button", {}, "Look for it"), out);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const hash = input.value.trim().toLowerCase();
    out.textContent = /^[0-9a-f]{64}$/.test(hash) ? place(log, records, hash) : "A head has 64 hex digits.";
  });
  return form;
}

function place(log: Log, records: readonly Uint8Array[][], hash: string): string {
  const wanted = `,"hash":"${hash}"`;
  const ascii = new TextDecoder("latin1");
  for (const [i, lines] of records.entries()) {
    for (const [k, line] of lines.entries()) {
      if (ascii.decode(line.subarray(-160)).includes(wanted)) {
        const more = lines.length - k - 1;
        const rest = more === 0 ? "the last record of the page" : `a record with ${counted(more, "record")} after it`;
        return `It is the hash of ${rest}, in ${log.journals[i]!.name}.`;
      }
    }
  }
  return "No record of this page has that hash.";
}
