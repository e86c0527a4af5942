import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { connect, Engine, Guest, GuardianData, InputError, type GuardianPermit } from "../../dist/index.js";
import { roomy } from "../asking.ts";
import { backup, notes, question } from "../talk.ts";

// It denies every question for a document that begins with d, and takes none that begins with x.
const clerk = await Guest.load(readFileSync(new URL("../../../../testdata/guests/clerk.wasm", import.meta.url)));
const document = (text: string) => GuardianData.load(new TextEncoder().encode(text));

/** A connection with one guardian, and what became of a question. */
async function asked(permit: GuardianPermit, data: GuardianData[]) {
  const told = notes();
  const engine = await Engine.open({ ...roomy, guardians: [permit] });
  const journal: string[] = [];
  const connection = connect(engine, backup, told.host, {
    guests: [clerk],
    data,
    journal: { append: (line) => void journal.push(line) },
  });
  await connection.receive("server", question(1));
  return { lines: told.lines, journal };
}

test("a document has the SHA-256 of its bytes, and is a copy of them", async () => {
  const bytes = Uint8Array.from([0x64, 0, 0xff]);
  const data = await GuardianData.load(bytes);
  expect(data.digest).toBe(createHash("sha256").update(bytes).digest("hex"));
  bytes[0] = 0x70;
  const to = new Uint8Array(2);
  expect([data.size, data.read(0, to), ...to]).toEqual([3, 2, 0x64, 0]);
  expect(data.read(2, to)).toBe(1);
  expect(data.read(3, to)).toBe(0);
  expect((await GuardianData.load(new ArrayBuffer(0))).size).toBe(0);
  const large = new Uint8Array((4 << 20) + 1);
  expect((await GuardianData.load(large.subarray(1))).size).toBe(4 << 20);
  const refused = await GuardianData.load(large).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(InputError);
  expect((refused as InputError).problems[0]!.code).toBe("data_document_too_large");
});

test("the guest decides by the document that its permit names", async () => {
  const [deny, pass] = [await document("deny"), await document("pass")];
  const denied = await asked(clerk.permit({ data_digest: deny.digest }), [pass, deny]);
  expect(denied.lines).toEqual(["server 1 decline"]);
  expect(denied.journal.join("")).toContain(`"data_digest":"${deny.digest}"`);
  const passed = await asked(clerk.permit({ data_digest: pass.digest }), [pass, deny]);
  expect(passed.lines).not.toEqual(["server 1 decline"]);
});

test("a connection without the document does not begin", async () => {
  const [deny, wrong] = [await document("deny"), await document("x")];
  const why = async (permit: GuardianPermit, data: GuardianData[]) => {
    const error = await asked(permit, data).catch((error: unknown) => error);
    return (error as InputError).problems.map(({ code, pointer }) => `${code} ${pointer}`);
  };
  expect(await why(clerk.permit(), [deny])).toEqual(["guardian_data_missing /guardians/0/data_digest"]);
  const unheld = await why(clerk.permit({ data_digest: deny.digest }), []);
  expect(unheld).toEqual(["guardian_data_unheld /guardians/0/data_digest"]);
  const refused = await why(clerk.permit({ data_digest: wrong.digest }), [wrong]);
  expect(refused).toEqual(["guardian_settings /guardians/0/settings"]);
  expect(clerk.evaluate("{}")).toMatchObject({ fault: "not_loaded", fuel: 0 });
});
