// Reads a token with Node's own cryptography, by the format that the comment of package engine/seal describes.
import { createDecipheriv, createHash, createHmac, hkdfSync } from "node:crypto";
import { expect, test } from "vitest";
import { Engine, type Operations } from "../dist/index.js";

const secret = Buffer.alloc(40, 5);
const keys = [{ id: "k1", secret: secret.toString("base64url") }];
const random = "07".repeat(32);
const claims = {
  principal: "alice",
  method: "tools/call",
  target: "deploy",
  audience: "ops",
  arguments: { env: "prod" },
  issued_at: 1000,
  expires_at: 2000,
  body_text: "answers",
};

/** The parts of a token. */
function parts(token: string) {
  const raw = Buffer.from(token.slice(3), "base64url");
  const salted = 3 + raw[1]! + raw[2 + raw[1]!]!;
  return { header: raw.subarray(0, salted + 32), info: raw.subarray(0, salted), sealed: raw.subarray(salted + 32) };
}

function decrypt(token: string): Buffer {
  const { header, info, sealed } = parts(token);
  const salt = header.subarray(info.length);
  const bound = Buffer.concat([Buffer.from("elicit seal 1"), info]);
  const derived = Buffer.from(hkdfSync("sha256", secret, salt, bound, 44));
  const [key, nonce] = [derived.subarray(0, 32), derived.subarray(32)];
  const cipher = createDecipheriv("chacha20-poly1305", key, nonce, { authTagLength: 16 });
  cipher.setAAD(header, { plaintextLength: sealed.length - 16 }).setAuthTag(sealed.subarray(-16));
  return Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
}

test("a token is what its format says", async () => {
  using engine = await Engine.open();
  const made = engine.eval("seal", { keys, random, purpose: "state", claims });
  if ("problems" in made) throw new Error(JSON.stringify(made.problems));
  const { header, info } = parts(made.token);
  const text = decrypt(made.token);
  const id = createHmac("sha256", Buffer.from(random, "hex")).update("elicit seal id 1state\0\0\0\0\0").digest();
  expect(text.readBigUInt64BE(0)).toBe(1000n);
  expect(text.readBigUInt64BE(8)).toBe(2000n);
  expect(text.subarray(16, 32)).toEqual(id.subarray(0, 16));
  expect(made.id).toBe(id.toString("hex", 0, 16));
  expect(text.subarray(32, 64)).toEqual(createHash("sha256").update('{"env":"prod"}').digest());
  expect(text.toString("utf8", 64)).toBe("\0\x05alice\0\x0atools/call\0\x06deploy\0\x03ops\0\0answers");
  const prf = createHmac("sha256", "elicit seal prf 1").update(secret).digest();
  const salt = createHmac("sha256", prf).update("elicit seal salt 1").update(Buffer.from(random, "hex"));
  expect(header.subarray(info.length)).toEqual(salt.update(info).update(text).digest());
});

test("a token opens for the same request only", async () => {
  using engine = await Engine.open();
  const made = engine.eval("seal", { keys, random, purpose: "state", claims });
  if ("problems" in made) throw new Error(JSON.stringify(made.problems));
  const { issued_at, expires_at, body_text, ...binding } = claims;
  const input: Operations["unseal"]["in"] = {
    keys,
    token: made.token,
    purpose: "state",
    expected: { ...binding, now: issued_at },
  };
  expect(engine.eval("unseal", input)).toMatchObject({ claims: { principal: "alice", expires_at, body_text } });
  const late = engine.eval("unseal", { ...input, expected: { ...input.expected, now: expires_at } });
  expect(late).toEqual({ problems: [{ code: "seal_expired", pointer: "" }] });
});
